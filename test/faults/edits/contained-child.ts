import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { checkChanges } from "../../../core/files/edits/changes.ts"
import { isToolError } from "../../../core/kernel/error.ts"
import { applyChanges, openFiles } from "./batch.ts"

/** Changes files in a place that the parent test prepared, and prints what came of it as JSON. */
const [root = "", dataDir = "", scenario = "", killAt = ""] = process.argv.slice(2)
const place = { root, dataDir }
if (scenario === "full") writeFileSync(join(root, "f"), "old\n")

const edit = {
  kind: "edit" as const,
  path: "f",
  edits: [{ kind: "replace_exact" as const, old_text: "old", new_text: "new" }],
}
const creations = [
  { kind: "create" as const, path: "made/big", content: "x".repeat(400 * 1024) },
  { kind: "create" as const, path: "small", content: "x" },
]
const before = lstatSync(join(root, "f")).ino
const fs = openFiles(place, (step) => {
  if (step === killAt) process.kill(process.pid, "SIGKILL")
})
let outcome: object = { kind: "ok" }
try {
  await applyChanges(fs, place, checkChanges(scenario === "full" ? [edit, ...creations] : [edit]))
} catch (error) {
  if (!isToolError(error)) throw error
  outcome = { kind: error.kind, details: error.details }
}
fs.close()
const same = lstatSync(join(root, "f")).ino === before
console.log(JSON.stringify({ ...outcome, same, text: readFileSync(join(root, "f"), "utf8"), names: readdirSync(root) }))
