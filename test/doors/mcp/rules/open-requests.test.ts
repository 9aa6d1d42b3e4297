import { describe, expect, it } from "vitest"
import { OpenRequests } from "../../../../adapters/mcp/open-requests.ts"

const LONG_MS = 60_000

describe("requests that are not answered yet", () => {
  it("are none at first, and again when each is answered", async () => {
    const open = new OpenRequests()
    await open.none(LONG_MS)
    open.add(1)
    open.add("1")
    const none = open.none(LONG_MS)
    open.settle(1)
    expect(await Promise.race([none.then(() => "none"), Promise.resolve("some")])).toBe("some")
    open.settle("1")
    await none
  })

  it("count an id that is used twice as two, and one that is not open as nothing", async () => {
    const open = new OpenRequests()
    open.add(1)
    open.add(1)
    open.settle(1)
    open.settle(2)
    const none = open.none(LONG_MS)
    expect(await Promise.race([none.then(() => "none"), Promise.resolve("some")])).toBe("some")
    open.settle(1)
    await none
  })

  it("are waited for no longer than asked, and not at all when nobody is left", async () => {
    const open = new OpenRequests()
    open.add(1)
    await open.none(10)
    const none = open.none(LONG_MS)
    open.forget()
    await none
  })
})
