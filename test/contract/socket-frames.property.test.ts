import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeFrame, FRAME_KINDS, type Frame, FrameReader } from "../../adapters/runners/local/carrier/frames.ts"
import {
  unwireCall,
  unwireFault,
  unwireValue,
  wireCall,
  wireFault,
  wireValue,
} from "../../adapters/runners/local/carrier/wire.ts"
import { ToolError } from "../../core/kernel/error.ts"

const frame: fc.Arbitrary<Frame> = fc.record({
  kind: fc.constantFrom(...FRAME_KINDS),
  call: fc.nat(0xffff_ffff),
  text: fc.string({ unit: "grapheme" }),
  bytes: fc.uint8Array({ maxLength: 300 }),
})

describe("frames of the socket", () => {
  it("come whole out of a stream that was cut anywhere", () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 40 })), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(encodeFrame))
        const reader = new FrameReader()
        const seen: Frame[] = []
        for (let at = 0, n = 0; at < bytes.length; n += 1) {
          const size = cuts.length === 0 ? bytes.length : (cuts[n % cuts.length] ?? 1)
          seen.push(...reader.push(bytes.subarray(at, at + size)))
          at += size
        }
        const plain = (one: Frame) => ({ ...one, bytes: [...one.bytes] })
        expect(seen.map(plain)).toEqual(frames.map(plain))
      }),
    )
  })

  it("what is no frame is refused", () => {
    expect(() => new FrameReader().push(Buffer.from("GET / HTTP/1.1\r\n\r\n"))).toThrow()
    expect(() => new FrameReader().push(Buffer.alloc(13))).toThrow()
  })

  it("errors, pages and signals arrive as what they were", () => {
    const refused = new ToolError("spawn_failed", "No.", { details: { code: "EAGAIN" }, executionState: "not_started" })
    expect(unwireFault(wireFault(refused))).toEqual(refused)
    expect(unwireValue(wireValue({ facts: [{ refused }] }))).toEqual({ facts: [{ refused }] })
    expect(unwireFault(wireFault(new TypeError("x"))).message).toBe("Runner host: TypeError: x")
    for (const bytes of [new Uint8Array(0), new Uint8Array([0, 255, 10])]) {
      expect(unwireValue(wireValue({ bytes, from: 3 }))).toEqual({ bytes, from: 3 })
    }
    expect(unwireValue(wireValue(undefined))).toBeUndefined()
    const { signal } = new AbortController()
    const sent = wireCall("jobs.watch", ["j", { from: 1, signal }])
    expect(sent.signal).toBe(signal)
    const there = new AbortController().signal
    expect(unwireCall(sent.text, there)).toEqual({ method: "jobs.watch", args: ["j", { from: 1, signal: there }] })
    expect(unwireCall(wireCall("shells.restore", ["u", undefined]).text, there).args).toEqual(["u", undefined])
  })
})
