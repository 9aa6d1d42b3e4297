import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ShellSpec } from "../../../../../../core/shells/runner.ts"
import { cardSpec } from "../../adopt/card.ts"
import { createRunNotes } from "../../adopt/run-record.ts"
import type { ShellJournal } from "../../adopt/shell-journal.ts"
import { storeSnapshot } from "../../snapshot/snapshot-file.ts"
import type { Snapshot } from "../../snapshot/types.ts"
import type { SeatCommand } from "../../transport.ts"
import { type FarCard, writeFarCard } from "./far-card.ts"
import { farReachOf } from "./far-reach.ts"

/** What a host writes of one far generation while it lives, for the next one (spec shells.md §6). */
export interface FarCardKeeper {
  launched(shell: NonNullable<FarCard["shell"]>): void
  /** It has answered a whole frame. */
  ready(more: { readonly initialCwd: string; readonly automatic: boolean }): void
  /** It is its running command's alone from now on. */
  detached(): void
  /** A command is about to be sent. */
  note(
    command: SeatCommand,
    run: {
      readonly token: string
      readonly older: readonly number[]
      readonly canAbort: boolean
      readonly behind: number
    },
  ): void
  keep(snapshot: Snapshot): void
  /** Leaves everything to the next host. */
  close(): void
  /** Nobody will go on with it. */
  remove(): void
}

/** Where cards and journal lines go. */
export interface FarCardPorts {
  /** Of this host. */
  readonly privateDirectory: string
  readonly journal: Pick<ShellJournal, "append">
  readonly boot: string
  secrets(): readonly string[]
  now(): number
}

/** Names of files in a generation's folder. */
export const FAR_FILES = { text: "c", snapshot: "n" } as const

/** A generation that is about to be launched, and its folder on this machine. */
export function startFarCard(
  spec: ShellSpec,
  made: Pick<FarCard, "generation" | "place" | "number" | "life">,
  ports: FarCardPorts,
): FarCardKeeper {
  const folder = join(ports.privateDirectory, `${spec.shellUid}-f${made.number}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const reach = farReachOf(spec.reach)
  if (reach === undefined) throw new Error("a shell of this machine has another card")
  const card: FarCard = {
    shellUid: spec.shellUid,
    ...made,
    boot: ports.boot,
    ready: false,
    detached: false,
    initialCwd: spec.cwd ?? "/",
    spec: cardSpec(spec, ports.secrets()),
    reach,
    automatic: false,
  }
  return keepFarCard(card, folder, ports)
}

/** Goes on with a card, in its folder. */
export function keepFarCard(from: FarCard, folder: string, ports: FarCardPorts): FarCardKeeper {
  let card = from
  const { shellUid, boot } = card
  const notes = createRunNotes(folder)

  function write(more: Partial<FarCard>): void {
    card = { ...card, ...more }
    writeFarCard(folder, card)
  }

  write({})
  ports.journal.append({ e: "opened", shell: shellUid, at: ports.now(), boot, pid: 0, start: 0, directory: folder })
  return {
    launched: (shell) => write({ shell }),
    ready: (more) => write({ ...more, ready: true }),
    detached: () => write({ detached: true }),
    note({ job, text, streams, tty }, { token, older, canAbort, behind }) {
      if (job === undefined) return
      writeFileSync(join(folder, FAR_FILES.text), text, { mode: 0o600 })
      notes.note({
        job: job.jobId,
        token,
        out: "",
        startedAt: job.startedAt,
        timeoutMs: job.timeoutMs,
        streams,
        tty,
        older: older.map((pid) => ({ pid, startTime: 0 })),
        canAbort,
        trapsInt: false,
        behind,
      })
    },
    keep: (snapshot) => storeSnapshot(join(folder, FAR_FILES.snapshot), snapshot),
    close: () => notes.close(),
    remove() {
      notes.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
