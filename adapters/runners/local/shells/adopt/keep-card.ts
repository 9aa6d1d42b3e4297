import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import type { ProcessId } from "../interrupt/types.ts"
import { type Card, cardSpec, writeCard } from "./card.ts"
import type { ShellJournal } from "./shell-journal.ts"

/** What a host writes of one generation while it lives, for the next one (spec shells.md §6). */
export interface CardKeeper {
  /** It has answered a whole frame. */
  ready(): void
  /** It is its running command's alone from now on. */
  detached(): void
}

/** One generation that was just started. */
export interface NewGeneration {
  readonly spec: ShellSpec
  readonly generation: number
  readonly directory: string
  readonly process: ProcessId
  readonly exitToken: string
  readonly initialCwd: string
}

/** Where cards and journal lines go. */
export interface CardPorts {
  readonly journal: Pick<ShellJournal, "append">
  readonly boot: string
  secrets(): readonly string[]
  now(): number
}

/** Journals a generation and puts its card beside its FIFOs. */
export function keepCard(made: NewGeneration, ports: CardPorts): CardKeeper {
  const { spec, directory, process, generation, exitToken, initialCwd } = made
  const { shellUid } = spec
  const { pid, startTime: start } = process
  const { boot } = ports
  ports.journal.append({ e: "opened", shell: shellUid, at: ports.now(), boot, pid, start, directory })
  const card: Card = {
    shellUid,
    generation,
    boot,
    pid,
    start,
    exitToken,
    ready: false,
    detached: false,
    initialCwd,
    spec: cardSpec(spec, ports.secrets()),
  }
  writeCard(directory, card)
  return {
    ready: () => writeCard(directory, { ...card, ready: true }),
    detached: () => writeCard(directory, { ...card, ready: true, detached: true }),
  }
}
