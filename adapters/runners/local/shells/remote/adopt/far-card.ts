import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { shellUidSchema } from "../../../../../../core/kernel/ids.ts"
import type { Literal } from "../../../../../../core/kernel/redaction/redactor.ts"
import { DIALECTS } from "../../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../../core/shells/runner.ts"
import { cardSpecSchema } from "../../adopt/card.ts"
import type { KnownState } from "../../snapshot-keeper.ts"
import { farReachSchema, reachOfCard } from "./far-reach.ts"

/** Where a relay's directory is on its target. */
export const farPlaceSchema = z.object({ directory: z.string(), readsPieces: z.boolean() })

/** One life of a container. */
export const containerLifeSchema = z.object({ id: z.string(), startedAt: z.string() })

const cardSchema = z.object({
  shellUid: shellUidSchema,
  /** Of the shell, as callers see it. */
  generation: z.number(),
  /** Of this machine: the card is worth nothing after another one. */
  boot: z.string(),
  ready: z.boolean(),
  detached: z.boolean(),
  initialCwd: z.string(),
  spec: cardSpecSchema,
  reach: farReachSchema,
  place: farPlaceSchema,
  /** Names its directory below the relay's. */
  number: z.number(),
  life: containerLifeSchema.exactOptional(),
  /** Checkpoints are made before commands that may change the workspace. */
  automatic: z.boolean(),
  /** Absent before it was launched. */
  shell: z
    .object({
      pid: z.number(),
      /** Absent where the target does not tell it. */
      startTime: z.string().exactOptional(),
      dialect: z.enum(DIALECTS),
      exitToken: z.string(),
      spareSignal: z.number(),
    })
    .exactOptional(),
})

/** What the next host must know of one generation of a far shell (spec shells.md §6, §9.1); it lies in `<runtime>`, 0600. */
export type FarCard = z.infer<typeof cardSchema>

const FILE = "far"

/** Writes or replaces the card of a generation. */
export function writeFarCard(directory: string, card: FarCard): void {
  const path = join(directory, FILE)
  writeFileSync(`${path}.new`, JSON.stringify(card), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** The card of a far generation; `undefined` where there is none. */
export function readFarCard(directory: string): FarCard | undefined {
  try {
    return cardSchema.safeParse(JSON.parse(readFileSync(join(directory, FILE), "utf8"))).data
  } catch {
    return undefined
  }
}

/** One far generation that a host which is gone had opened. */
export interface FarGeneration {
  readonly card: FarCard
  /** Its folder on this machine. */
  readonly folder: string
  /** The newest snapshot of it that was stored. */
  readonly inherited: KnownState | undefined
  /** What is known of its traps from before. */
  readonly canAbort: boolean
  /** Children of the shell, as they were told last. */
  readonly children: readonly number[]
  /** Where it was last known to be. */
  readonly cwd: string
  /** Older ones of the same shell, which nobody goes on with: their processes are ended when the target is reached. */
  readonly stale: readonly FarCard[]
}

/** The spec that a card stands for; values that lie in no file are not in it. */
export function specOfFar({ shellUid, spec, reach }: FarCard, secrets: readonly Literal[]): ShellSpec {
  const { root: _root, withheld: _withheld, ...rest } = spec
  return { ...rest, shellUid, reach: reachOfCard(reach), secrets }
}
