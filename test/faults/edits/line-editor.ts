import process from "node:process"
import { checkChanges } from "../../../core/files/edits/changes.ts"
import { applyChanges, openFiles } from "./batch.ts"

/** Edits its own lines of one shared file, one call a line, without any hash. */
const [root = "", dataDir = "", name = "", count = "0"] = process.argv.slice(2)
const place = { root, dataDir }
const fs = openFiles(place)
for (let line = 0; line < Number(count); line += 1) {
  const edits = [
    { kind: "replace_exact" as const, old_text: `${name} ${line} todo\n`, new_text: `${name} ${line} done\n` },
  ]
  await applyChanges(fs, place, checkChanges([{ kind: "edit", path: "shared.txt", edits }]))
}
fs.close()
