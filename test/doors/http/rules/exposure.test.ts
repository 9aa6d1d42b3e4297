import { describe, expect, it } from "vitest"
import { exposureOf } from "../../../../adapters/http/exposure.ts"

const base = { allowHosts: [], allowOrigins: [] }

describe("exposure settings", () => {
  it("adds the public host and the configured names to the loopback ones", () => {
    const exposure = exposureOf(
      {
        ...base,
        publicUrl: "https://H.example",
        allowHosts: ["Tunnel.example:8443"],
        allowOrigins: ["https://a.example"],
      },
      4747,
    )
    expect([...exposure.allowedHosts]).toEqual(["127.0.0.1", "localhost", "[::1]", "h.example", "tunnel.example"])
    expect([...exposure.allowedOrigins]).toEqual([
      "http://127.0.0.1:4747",
      "http://localhost:4747",
      "http://[::1]:4747",
      "https://h.example",
      "https://a.example",
    ])
    expect(exposure.serverUrl).toBe("https://h.example")
    expect(exposureOf(base, 4747).serverUrl).toBe("http://127.0.0.1:4747")
  })
})
