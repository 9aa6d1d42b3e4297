import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { z } from "zod"
import { DIALECTS } from "../../../../../core/shells/record.ts"
import type { Snapshot } from "./types.ts"

const switches = z.record(z.string(), z.boolean())
const named = { name: z.string(), attributes: z.string() }
const snapshotSchema = z.object({
  kind: z.enum(["exit", "idle"]),
  dialect: z.enum(DIALECTS),
  options: switches,
  shopts: switches,
  umask: z.string(),
  limits: z.record(z.string(), z.string()),
  variables: z.array(z.object({ ...named, assignment: z.string() })),
  functions: z.array(z.object({ ...named, text: z.string() })),
  aliases: z.array(z.string()),
  leftOut: z.array(z.string()),
  unkept: z.array(z.string()),
  cwd: z.string().exactOptional(),
  logicalCwd: z.string().exactOptional(),
})

/** Puts a snapshot where the next host finds it: in `<runtime>` only, readable by its owner alone (spec shells.md §5.6). */
export function storeSnapshot(path: string, snapshot: Snapshot): void {
  const fresh = `${path}.new`
  writeFileSync(fresh, JSON.stringify(snapshot), { mode: 0o600 })
  renameSync(fresh, path)
}

/** The stored snapshot; `undefined` where there is none that can be read. */
export function loadSnapshot(path: string): Snapshot | undefined {
  try {
    return snapshotSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data
  } catch {
    return undefined
  }
}
