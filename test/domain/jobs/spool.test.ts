import { randomBytes } from "node:crypto"
import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createJobSpool } from "../../../adapters/runners/local/host/job-spool.ts"
import { readSmallFile } from "../../../adapters/runners/local/host/small-file.ts"
import { createSmallOutputs } from "../../../adapters/runners/local/host/small-outputs.ts"
import { listSegments, retainedRanges } from "../../../adapters/runners/local/host/spool-files.ts"
import { createTurnQueue } from "../../../adapters/runners/local/host/turn-queue.ts"
import { showBytes } from "../../../core/jobs/text-page.ts"
import { decodeObservation, encodeObservation } from "../../../core/jobs/tokens.ts"
import { createIds } from "../../../core/kernel/ids.ts"

/** Masks nothing and holds nothing back. */
const unmasked = () => ({ push: (chunk: Uint8Array) => chunk, end: () => new Uint8Array(), masked: 0 })

describe("the spool", () => {
  it("J5, J6: retained and dropped bytes are the stream, and pages are its retained bytes", async () => {
    const home = await mkdtemp(join(tmpdir(), "hf-spool-"))
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("stdout", "stderr"), fc.integer({ min: 1, max: 9000 })), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5000 }),
        async (writes, page) => {
          round += 1
          const directory = join(home, String(round))
          const spool = createJobSpool({ directory, capBytes: 65_536, mask: unmasked, secrets: [] })
          const written = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
          for (const [stream, size] of writes) {
            const chunk = randomBytes(size)
            const name = stream === "stdout" ? "stdout" : "stderr"
            written[name] = Buffer.concat([written[name], chunk])
            spool.accept(name, chunk)
          }
          for (const name of ["stdout", "stderr"] as const) {
            const { retained, total } = spool.read(name, { from: 0, max: 0 })
            const kept = retained.reduce((sum, range) => sum + range.to - range.from, 0)
            const totals = spool.totals()[name]
            expect(total).toBe(written[name].length)
            expect(totals.bytes_total).toBe(written[name].length)
            expect(kept + totals.dropped_bytes).toBe(total)
            const pages: Buffer[] = []
            let at = 0
            while (at < total) {
              const { bytes, from } = spool.read(name, { from: at, max: page })
              if (bytes.length === 0) break
              expect(Buffer.from(bytes).equals(written[name].subarray(from, from + bytes.length))).toBe(true)
              pages.push(Buffer.from(bytes))
              at = from + bytes.length
            }
            expect(Buffer.concat(pages).length).toBe(kept)
            if (total > 0) expect(retainedRanges(listSegments(directory, name))).toEqual(retained)
          }
          expect(spool.stored()).toBeLessThanOrEqual(65_536 + 8192)
          spool.close()
        },
      ),
      { numRuns: 40 },
    )
    await rm(home, { recursive: true })
  })

  it("Jobs that write little share a file, which one leaves when it grows, and which is not gone on in after a death", async () => {
    const home = await mkdtemp(join(tmpdir(), "hf-spool-"))
    const folder = join(home, "spool")
    const directory = join(folder, "job")
    const small = createSmallOutputs(folder, Date.now)
    const ofHost = (job: string) =>
      createJobSpool({ directory: join(folder, job), capBytes: 1_048_576, mask: unmasked, secrets: [], small })
    const resume = () => createJobSpool({ directory, capBytes: 1_048_576, mask: unmasked, secrets: [], resumed: true })
    const written = { stdout: "", stderr: "" }
    const write = (spool: ReturnType<typeof resume>, name: "stdout" | "stderr", text: string) => {
      written[name] += text
      spool.accept(name, Buffer.from(text))
    }
    const shown = (spool: ReturnType<typeof resume>, name: "stdout" | "stderr") =>
      Buffer.from(spool.read(name, { from: 0, max: 1_048_576 }).bytes).toString()
    const first = ofHost("job")
    const other = ofHost("other")
    write(first, "stdout", "one\n")
    other.accept("stdout", Buffer.from("beside"))
    write(first, "stderr", "err\n")
    write(first, "stdout", "two\n")
    first.close()
    expect(await readdir(folder)).toEqual(["small-0"])
    expect(small.isInUse(join(folder, "small-0"))).toBe(true)
    small.close()
    // A torn piece, as a death in the middle of a write leaves it.
    await appendFile(join(folder, "small-0"), Buffer.from([0, 3, 0, 0, 0, 0, 0, 8, 0, 0, 0, 9, 65]))
    const second = resume()
    expect(second.totals().stdout).toMatchObject({ bytes_total: 8, lines_total: 2, dropped_bytes: 0 })
    write(second, "stdout", "three\n")
    expect([shown(second, "stdout"), shown(second, "stderr")]).toEqual([written.stdout, written.stderr])
    expect((await readdir(folder)).sort()).toEqual(["job", "small-0"])
    write(second, "stderr", "x".repeat(9000))
    write(second, "stdout", "four\n")
    expect([shown(second, "stdout"), shown(second, "stderr")]).toEqual([written.stdout, written.stderr])
    second.close()
    const third = resume()
    write(third, "stdout", "five\n")
    expect([shown(third, "stdout"), shown(third, "stderr")]).toEqual([written.stdout, written.stderr])
    expect(third.totals().stdout).toMatchObject({ bytes_total: written.stdout.length, lines_total: 5 })
    third.close()
    expect(shown(other, "stdout")).toBe("beside")
    await rm(home, { recursive: true })
  })

  it("a Job leaves the shared file when it writes much, or when the file is old", async () => {
    const home = await mkdtemp(join(tmpdir(), "hf-spool-"))
    let now = 0
    const small = createSmallOutputs(home, () => now)
    const open = (job: string) =>
      createJobSpool({ directory: join(home, job), capBytes: 1_048_576, mask: unmasked, secrets: [], small })
    const [large, slow, quick] = [open("large"), open("slow"), open("quick")] as const
    for (const spool of [large, slow, quick]) spool.accept("stdout", Buffer.from("a"))
    quick.close()
    large.accept("stdout", Buffer.from("b".repeat(9000)))
    small.settle()
    expect((await readdir(home)).sort()).toEqual(["large", "small-0"])
    now = 3_600_000
    small.settle()
    expect(small.isInUse(join(home, "small-0"))).toBe(false)
    expect((await readdir(home)).sort()).toEqual(["large", "slow", "small-0"])
    slow.accept("stdout", Buffer.from("c"))
    const shown = (spool: typeof slow) => Buffer.from(spool.read("stdout", { from: 0, max: 100_000 }).bytes).toString()
    expect([shown(large), shown(slow), shown(quick)]).toEqual([`a${"b".repeat(9000)}`, "ac", "a"])
    expect([...readSmallFile(join(home, "small-0")).jobs.keys()]).toEqual(["quick"])
    small.close()
    await rm(home, { recursive: true })
  })

  it("a Job without output has no file", async () => {
    const home = await mkdtemp(join(tmpdir(), "hf-spool-"))
    const spool = createJobSpool({ directory: join(home, "job"), capBytes: 65_536, mask: unmasked, secrets: [] })
    spool.finish("stdout")
    spool.close()
    expect(await readdir(home)).toEqual([])
    await rm(home, { recursive: true })
  })
})

describe("pages of text", () => {
  it("never cut a character, hold at least one, and join to the whole text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (text, size) => {
          const bytes = Buffer.from(text)
          let at = 0
          let all = ""
          while (at < bytes.length) {
            const shown = showBytes(bytes.subarray(at), size, {
              view: "raw",
              encoding: "text",
              maxChars: 1000,
              final: true,
              cut: "character",
            })
            expect(shown.bytes).toBeGreaterThan(0)
            all += "text" in shown.content ? shown.content.text : ""
            at += shown.bytes
          }
          expect(all).toBe(bytes.toString())
        },
      ),
    )
  })

  it("keep inside the reply, at line ends where there are some", () => {
    const bytes = Buffer.from("\u0001".repeat(30).concat("\n").repeat(100))
    const showing = { view: "raw", encoding: "text", maxChars: 1000, final: true, cut: "line" } as const
    const shown = showBytes(bytes, bytes.length, showing)
    expect(JSON.stringify(shown.content).length).toBeLessThanOrEqual(1000)
    expect(shown.bytes % 31).toBe(0)
    expect(shown.bytes).toBeGreaterThan(0)
  })

  it("leave out a character that is still being written", () => {
    const half = Buffer.from("a€").subarray(0, 3)
    const showing = { view: "raw", encoding: "text", maxChars: 1000, cut: "character" } as const
    expect(showBytes(half, 10, { ...showing, final: false })).toEqual({ content: { text: "a" }, bytes: 1 })
    expect(showBytes(half, 10, { ...showing, final: true })).toEqual({ content: { text: "a\ufffd" }, bytes: 3 })
  })
})

describe("observation tokens", () => {
  const jobId = createIds().job()
  it("hold what was seen, for the installation that made them", () => {
    const seen = { jobId, revision: 7, offsets: { stdout: 2 ** 40, stderr: 3 } }
    const token = encodeObservation("key", seen)
    expect(token.length).toBeLessThanOrEqual(184)
    expect(decodeObservation("key", token, jobId)).toEqual(seen)
    for (const [key, text, id] of [
      ["other", token, jobId],
      ["key", token.slice(0, -2), jobId],
      ["key", `${token}A`, jobId],
      ["key", "jo1_", jobId],
      ["key", `${token}=`, jobId],
      ["key", `${token} `, jobId],
      ["key", `${token}\n`, jobId],
      ["key", `${token.slice(0, 40)} ${token.slice(40)}`, jobId],
      ["key", token, createIds().job()],
    ] as const) {
      expect(() => decodeObservation(key, text, id)).toThrow(/observation token/)
    }
  })
})

describe("the line", () => {
  it("is first come first served, with groups taking turns", () => {
    const queue = createTurnQueue<string>()
    for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.add(item[0]!, item)
    expect(["a1", "b1", "c1", "a2", "b2", "a3"].map((item) => queue.position(item))).toEqual([1, 2, 3, 4, 5, 6])
    expect(queue.remove("b1")).toBe(true)
    expect(queue.remove("b1")).toBe(false)
    const served = []
    for (let item = queue.next(); item !== undefined; item = queue.next()) served.push(item)
    expect(served).toEqual(["a1", "b2", "c1", "a2", "a3"])
    expect(queue.size).toBe(0)
  })
})
