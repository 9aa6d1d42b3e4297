import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, expect, it } from "vitest"
import { createStoredSpools } from "../../../adapters/runners/local/host/stored-spools.ts"
import { createIds } from "../../../core/kernel/ids.ts"

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true })
})

/** A Job of which a host that is gone has stored two pieces, long ago. */
function storedJob(now = Date.now()) {
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
  return { jobId, directory, spools: createStoredSpools(home, () => now) }
}

/** Longer than a listing is trusted without looking. */
const later = () => sleep(30)

it("names the segments of both streams, and the same ones again while nothing changes", async () => {
  const { jobId, directory, spools } = storedJob()
  const segments = {
    stdout: [
      { from: 0, size: 4 },
      { from: 9, size: 5 },
    ],
    stderr: [{ from: 0, size: 1 }],
  }
  expect(spools.find(jobId)).toMatchObject({ directory, segments })
  const first = spools.find(jobId)
  await later()
  expect(spools.find(jobId)).toBe(first)
  expect(spools.find(createIds().job())).toBeUndefined()
})

it.each([
  ["a last segment grows", (directory: string) => appendFileSync(join(directory, "stdout-9"), "!"), 6],
  ["a segment is added", (directory: string) => writeFileSync(join(directory, "stdout-14"), "more than before"), 16],
  ["one of the middle is dropped", (directory: string) => rmSync(join(directory, "stdout-9")), 4],
])("looks again when %s", async (_name, change, last) => {
  const { jobId, directory, spools } = storedJob()
  spools.find(jobId)
  change(directory)
  await later()
  expect(spools.find(jobId)?.segments.stdout.at(-1)?.size).toBe(last)
})

it("knows nothing of one that was evicted, at the latest when it is told so", () => {
  const { jobId, directory, spools } = storedJob()
  spools.find(jobId)
  rmSync(directory, { recursive: true })
  spools.forget(jobId)
  expect(spools.find(jobId)).toBeUndefined()
})

it("does not trust a change that has only just been made", async () => {
  const changed = new Date(1_800_000_000_000)
  const { jobId, directory, spools } = storedJob(changed.getTime() + 50)
  utimesSync(directory, changed, changed)
  spools.find(jobId)
  writeFileSync(join(directory, "stdout-14"), "more")
  utimesSync(directory, changed, changed)
  await later()
  expect(spools.find(jobId)?.segments.stdout).toHaveLength(3)
})
