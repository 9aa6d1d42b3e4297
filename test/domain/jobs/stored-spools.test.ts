import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { createStoredSpools } from "../../../adapters/runners/local/host/stored-spools.ts"
import { createIds } from "../../../core/kernel/ids.ts"

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true })
})

/** A Job of which a host that is gone has stored two pieces, long ago. */
function storedJob() {
  const home = mkdtempSync(join(tmpdir(), "hf-stored-"))
  homes.push(home)
  const ids = createIds()
  const jobId = ids.job()
  const directory = join(home, "runner", ids.instance(), "spool", jobId)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, "stdout-0"), "head")
  writeFileSync(join(directory, "stdout-9"), "tail!")
  writeFileSync(join(directory, "stderr-0"), "e")
  utimesSync(directory, 1, 1)
  return { jobId, directory, spools: createStoredSpools(home, Date.now) }
}

it("names the segments of both streams, and the same ones again while nothing changes", () => {
  const { jobId, directory, spools } = storedJob()
  const segments = {
    stdout: [
      { from: 0, size: 4 },
      { from: 9, size: 5 },
    ],
    stderr: [{ from: 0, size: 1 }],
  }
  expect(spools.find(jobId)).toMatchObject({ directory, segments })
  expect(spools.find(jobId)).toBe(spools.find(jobId))
  expect(spools.find(createIds().job())).toBeUndefined()
})

it.each([
  ["a last segment grows", (directory: string) => appendFileSync(join(directory, "stdout-9"), "!"), 6],
  ["a segment is added", (directory: string) => writeFileSync(join(directory, "stdout-14"), "more than before"), 16],
  ["one of the middle is dropped", (directory: string) => rmSync(join(directory, "stdout-9")), 4],
])("looks again when %s", (_name, change, last) => {
  const { jobId, directory, spools } = storedJob()
  spools.find(jobId)
  change(directory)
  expect(spools.find(jobId)?.segments.stdout.at(-1)?.size).toBe(last)
})

it("knows nothing of one that was evicted", () => {
  const { jobId, directory, spools } = storedJob()
  spools.find(jobId)
  rmSync(directory, { recursive: true })
  expect(spools.find(jobId)).toBeUndefined()
})

it("does not trust a change that has only just been made", () => {
  const { jobId, directory, spools } = storedJob()
  const now = new Date()
  utimesSync(directory, now, now)
  spools.find(jobId)
  writeFileSync(join(directory, "stdout-14"), "more")
  utimesSync(directory, now, now)
  expect(spools.find(jobId)?.segments.stdout).toHaveLength(3)
})
