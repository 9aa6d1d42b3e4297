import { describe, expect, it } from "vitest"
import { exposureFault, exposureOf } from "../../../../adapters/http/exposure.ts"

const base = { host: "127.0.0.1", allowHosts: [], allowOrigins: [] }

describe("exposure settings", () => {
  it("D29: a wider host alone, http for a public name and an origin with a path are each one sentence naming the key", () => {
    expect(exposureFault({ ...base, host: "0.0.0.0" })).toMatch(/^host: .*public_url or allow_host\.$/)
    expect(exposureFault({ ...base, publicUrl: "http://h.example" })).toMatch(/^public_url .*https/)
    expect(exposureFault({ ...base, publicUrl: "https://h.example/x" })).toMatch(/^public_url .*without path/)
    for (const publicUrl of ["https://u:p@h.example", "https://h.example?x", "h.example", "https://h.example#x"])
      expect(exposureFault({ ...base, publicUrl }), publicUrl).toMatch(/^public_url/)
    expect(exposureFault({ ...base, allowHosts: ["h.example/x"] })).toMatch(/^allow_host/)
    expect(exposureFault({ ...base, allowOrigins: ["https://h.example/"] })).toMatch(/^allow_origin/)
  })

  it("takes loopback, a wider host with public_url or allow_host, and an origin with its slash", () => {
    expect(exposureFault(base)).toBeUndefined()
    expect(exposureFault({ ...base, host: "0.0.0.0", publicUrl: "https://h.example/" })).toBeUndefined()
    expect(exposureFault({ ...base, host: "::", allowHosts: ["h.example"] })).toBeUndefined()
    expect(exposureFault({ ...base, publicUrl: "http://localhost:8080" })).toBeUndefined()
  })

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
