import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type DoorUnderTest, startDoor } from "./door-under-test.ts"
import { rawRequest } from "./raw-http.ts"
import { serverOf } from "./replies.ts"

let door: DoorUnderTest
beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door.close())

describe("the documents, on a listening server", () => {
  it("D30: 200, then 304 without body for its ETag; the server is never taken from the Host header", async () => {
    const first = await door.fetch("/openapi.json")
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "no-cache"])
    expect(serverOf(await first.json())).toBe(`http://127.0.0.1:${door.port}`)
    const second = await door.fetch("/openapi.json", { headers: { "If-None-Match": etag } })
    expect([second.status, await second.text(), second.headers.get("etag")]).toEqual([304, "", etag])
    const named = await rawRequest(door.port, "GET /openapi.json HTTP/1.1\nHost: localhost:9999\nConnection: close\n\n")
    expect(serverOf(JSON.parse(named.body))).toBe(`http://127.0.0.1:${door.port}`)
  })

  it("D32: If-None-Match in a list, weak and as a star match; another tag does not", async () => {
    const etag = (await door.fetch("/openapi.json")).headers.get("etag") ?? ""
    const status = async (value: string) =>
      (await door.fetch("/openapi.json", { headers: { "If-None-Match": value } })).status
    expect([
      await status(`"zzz", ${etag}`),
      await status(`W/${etag}`),
      await status("*"),
      await status('"zzz"'),
    ]).toEqual([304, 304, 304, 200])
  })

  it("D31: another public_url changes server and ETag, not the schema hash", async () => {
    await using other = await startDoor({ publicUrl: "https://h.example" })
    const [mine, theirs] = [await door.fetch("/openapi.json"), await other.fetch("/openapi.json")]
    expect(theirs.headers.get("holdfast-schema-hash")).toBe(mine.headers.get("holdfast-schema-hash"))
    expect(theirs.headers.get("etag")).not.toBe(mine.headers.get("etag"))
    expect(serverOf(await theirs.json())).toBe("https://h.example")
  })

  it("asks for a token when documents are private", async () => {
    await using secret = await startDoor({ privateDocuments: true })
    expect((await secret.fetch("/openapi.json")).status).toBe(401)
    expect((await secret.fetch("/openapi/gpt-actions.json", { headers: secret.headers() })).status).toBe(200)
  })
})
