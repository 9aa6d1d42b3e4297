import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { shellUidSchema } from "../../../../../core/kernel/ids.ts"
import { DIALECTS } from "../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"

/** What a card keeps of a shell's spec; where it is reached is told beside it. */
export const cardSpecSchema = z.object({
  dialect: z.enum(DIALECTS),
  exact: z.boolean().exactOptional(),
  root: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Names whose values lie in no file. */
  withheld: z.array(z.string()),
  onExit: z.enum(["restore", "close"]),
  idleTtlMs: z.number(),
  backgroundTtlMs: z.number(),
})

const cardSchema = z.object({
  shellUid: shellUidSchema,
  /** Of the shell, as callers see it. */
  generation: z.number(),
  boot: z.string(),
  pid: z.number(),
  start: z.number(),
  exitToken: z.string(),
  /** It has answered a whole frame. */
  ready: z.boolean(),
  /** It belongs to its running command alone (spec shells.md §5.7). */
  detached: z.boolean(),
  initialCwd: z.string(),
  spec: cardSpecSchema,
})

/** What the next host must know of one generation of a shell (spec shells.md §6); it lies beside its FIFOs, 0600. */
export type Card = z.infer<typeof cardSchema>

const FILE = "card"

/** Writes or replaces the card of a generation. */
export function writeCard(directory: string, card: Card): void {
  const path = join(directory, FILE)
  writeFileSync(`${path}.new`, JSON.stringify(card), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** The card of a generation; `undefined` where its directory is gone or was never finished. */
export function readCard(directory: string): Card | undefined {
  try {
    return cardSchema.safeParse(JSON.parse(readFileSync(join(directory, FILE), "utf8"))).data
  } catch {
    return undefined
  }
}

/** What of a spec may lie in a file: values that are, or hold, a literal to mask stay in memory (spec shells.md §5.6). */
export function cardSpec(spec: ShellSpec, secrets: readonly string[]): Card["spec"] {
  const { dialect, exact, cwd, onExit, idleTtlMs, backgroundTtlMs, reach } = spec
  const isPlain = (value: string): boolean => !secrets.some((secret) => secret !== "" && value.includes(secret))
  return {
    dialect,
    ...(exact === undefined ? {} : { exact }),
    ...(reach.kind === "local" && reach.root !== undefined ? { root: reach.root } : {}),
    ...(cwd === undefined ? {} : { cwd }),
    env: spec.env.filter(({ value }) => isPlain(value)).map(({ name, value }) => ({ name, value })),
    withheld: spec.env.filter(({ value }) => !isPlain(value)).map(({ name }) => name),
    onExit,
    idleTtlMs,
    backgroundTtlMs,
  }
}

/** The spec that a card stands for. */
export function specOf({ shellUid, spec }: Card, secrets: ShellSpec["secrets"]): ShellSpec {
  const { root, withheld: _withheld, ...rest } = spec
  return { ...rest, shellUid, reach: { kind: "local", ...(root === undefined ? {} : { root }) }, secrets }
}
