import type { Survivor } from "../../../../../core/jobs/record.ts"
import type { BackgroundProcess } from "../../../../../core/jobs/runner.ts"
import type { MaskText } from "../../host/naming.ts"
import { type FarProcess, rootsOf } from "./relay/far-process.ts"
import type { Relay } from "./relay/relay.ts"

const COMMAND_CHARS = 80
const MAX_NAMED = 16
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/gu

/** Processes of a target as they are shown. */
export interface FarNaming {
  /** One entry a tree. */
  roots(processes: readonly FarProcess[]): Promise<readonly BackgroundProcess[]>
  survivors(processes: readonly FarProcess[]): Promise<readonly Survivor[]>
}

/** Names by masked command lines of at most 80 characters; the clock of a target is its own, so a start is not dated. */
export function createFarNaming(relay: Pick<Relay, "commandOf">, mask: MaskText): FarNaming {
  async function named(process: FarProcess): Promise<BackgroundProcess> {
    const command = mask((await relay.commandOf(process)).replace(UNPRINTABLE, "\ufffd"))
    return { pid: process.pid, command: command.slice(0, COMMAND_CHARS).toWellFormed() }
  }
  return {
    roots: (processes) => Promise.all(rootsOf(processes).slice(0, MAX_NAMED).map(named)),
    async survivors(processes) {
      const all = await Promise.all(processes.slice(0, MAX_NAMED).map(named))
      return all.map((one) => ({ ...one, started_at: 0 }))
    },
  }
}
