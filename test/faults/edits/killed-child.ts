import process from "node:process"
import { applyChanges, batchChanges, openFiles } from "./batch.ts"

/** Applies the batch and dies by SIGKILL right after the step named in its arguments. */
const [root = "", dataDir = "", killAt = "", treePk, invocationId] = process.argv.slice(2)
const place = { root, dataDir, ...(treePk ? { treePk } : {}), ...(invocationId ? { invocationId } : {}) }
const fs = openFiles(place, (step) => {
  if (step === killAt) process.kill(process.pid, "SIGKILL")
})
await applyChanges(fs, place, batchChanges())
