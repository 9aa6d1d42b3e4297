import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { commandText } from "../../../../../../core/jobs/command.ts"
import type { StartSpec } from "../../../../../../core/jobs/runner.ts"
import { farPlaceSchema } from "../adopt/far-card.ts"
import { farReachOf, farReachSchema } from "../adopt/far-reach.ts"

const cardSchema = z.object({
  timeoutMs: z.number(),
  text: z.string(),
  reach: farReachSchema,
  /** Absent: nothing was sent yet. */
  sent: z.object({ place: farPlaceSchema, token: z.string() }).exactOptional(),
  /** The far `sh` that waits for it; absent: whether there is one, only the target knows. */
  parent: z.object({ pid: z.number(), startTime: z.string().exactOptional() }).exactOptional(),
})

/** What the next host must know of one command on a target (spec exec-and-jobs.md §6.2); it lies in `<runtime>`, 0600. */
export type OneShotCard = z.infer<typeof cardSchema>

/** Keeps the card of one command while it is started, and until nobody needs it. */
export interface OneShotCardKeeper {
  sending(sent: NonNullable<OneShotCard["sent"]>): void
  started(parent: NonNullable<OneShotCard["parent"]>): void
  remove(): void
}

const pathOf = (runtime: string, jobId: string): string => join(runtime, `${jobId}.far`)

/** Writes it; `runtime`: the host's folder of the runtime directory. Throws the system's error. */
export function keepOneShotCard(spec: StartSpec, runtime: string): OneShotCardKeeper {
  const reach = spec.reach === undefined ? undefined : farReachOf(spec.reach)
  if (reach === undefined) throw new Error("a command of this machine has no such card")
  const path = pathOf(runtime, spec.jobId)
  let card: OneShotCard = { timeoutMs: spec.timeoutMs, text: commandText(spec.command), reach }

  function write(more: Partial<OneShotCard>): void {
    card = { ...card, ...more }
    writeFileSync(`${path}.new`, JSON.stringify(card), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }

  write({})
  return {
    sending: (sent) => write({ sent }),
    started: (parent) => write({ parent }),
    remove: () => removeOneShotCard(runtime, spec.jobId),
  }
}

/** Nobody needs it any more. */
export function removeOneShotCard(runtime: string, jobId: string): void {
  rmSync(pathOf(runtime, jobId), { force: true })
}

/** The card that a host which is gone had kept; `undefined` where there is none. */
export function readOneShotCard(runtime: string, jobId: string): OneShotCard | undefined {
  try {
    return cardSchema.safeParse(JSON.parse(readFileSync(pathOf(runtime, jobId), "utf8"))).data
  } catch {
    return undefined
  }
}
