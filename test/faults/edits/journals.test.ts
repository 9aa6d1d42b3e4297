import { mkdirSync, readdirSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { createSystemClock } from "../../../adapters/clock/index.ts"
import { createProjectFs } from "../../../adapters/runners/local/files/project-fs.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { applyChanges, batchChanges, INVOCATION, prepareBatch } from "./batch.ts"

it("a journal stays while its call is open and for a minute, then it goes", async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), "hf-journals-")))
  const place = { root: join(home, "root"), dataDir: join(home, "data") }
  mkdirSync(place.root)
  prepareBatch(place)
  let isOpen = true
  let later = 0
  const clock = createSystemClock()
  const fs = createProjectFs({
    dataDir: place.dataDir,
    clock: { ...clock, now: () => clock.now() + later },
    ids: createIds(),
    callIsOpen: async () => isOpen,
  })
  const journals = () => readdirSync(join(place.dataDir, "runner/edits")).length

  await applyChanges(fs, place, batchChanges())
  later = 120_000
  await fs.recover()
  expect([journals(), await fs.outcomeOf(INVOCATION)]).toEqual([1, "applied"])
  isOpen = false
  later = 0
  await fs.recover()
  expect(journals()).toBe(1)
  later = 120_000
  await fs.recover()
  expect([journals(), await fs.outcomeOf(INVOCATION)]).toEqual([0, undefined])
  fs.close()
  await rm(home, { recursive: true, force: true })
})
