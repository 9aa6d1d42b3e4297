import type { Dialect } from "../../../../core/shells/record.ts"
import type { ShellRunner, ShellSpec } from "../../../../core/shells/runner.ts"
import type { MaskText, Naming } from "../host/naming.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { findProgram } from "../host/program.ts"
import { accessTimesMove } from "./access-times.ts"
import type { AnyGeneration } from "./adopt/adopted-generation.ts"
import type { ShellJournal } from "./adopt/shell-journal.ts"
import { createBriefWait } from "./brief-wait.ts"
import { createFifoPool } from "./fifo-pool.ts"
import { systemProcessLook } from "./interrupt/process-look.ts"
import { createSendSignal } from "./interrupt/send-signal.ts"
import { createLocalOpener } from "./local-opener.ts"
import { createRemoteParts, type RemoteParts } from "./remote/remote-parts.ts"
import type { RemoteSettings } from "./remote/settings.ts"
import { createSlotPool } from "./slots.ts"
import { createTokens } from "./tokens.ts"
import type { SeatOpener } from "./transport.ts"

/** What shells are made of on this machine. */
export interface ShellParts {
  /** `secrets`: values that no snapshot of this shell may keep. */
  openerFor(spec: ShellSpec, secrets: () => readonly string[], adopted?: AnyGeneration): SeatOpener
  readonly endFar: RemoteParts["endFar"]
  readonly hasTerminal: boolean
  readonly startOneShot: RemoteParts["startOneShot"]
  readonly resumeOneShot: RemoteParts["resumeOneShot"]
  readonly resolve: ShellRunner["resolve"]
  capabilities(): ReturnType<ShellRunner["capabilities"]>
  /** The directory of the pools was removed and is there again. */
  renew(): void
  close(): void
}

/** Pools and programs of one host. */
export function createShellParts(options: {
  readonly processes: ProcessTable
  readonly naming: Naming
  readonly environment: Readonly<Record<string, string>>
  readonly privateDirectory: string
  readonly inherited: readonly number[]
  readonly shells: Readonly<Partial<Record<Dialect, string>>>
  readonly dataDirectory: string
  readonly journal: Pick<ShellJournal, "append">
  readonly mask: MaskText
  now(): number
  readonly remote?: RemoteSettings
}): ShellParts {
  const fifos = createFifoPool(options.privateDirectory, options.environment)
  const slots = createSlotPool(fifos)
  const tokens = createTokens()
  const script = findProgram("script", options.environment.PATH ?? "")
  const shell = options.shells.bash ?? options.shells.sh
  const terminal = script === undefined || shell === undefined ? {} : { terminal: { script, shell } }
  const { processes } = options
  const interrupt = { processes, look: systemProcessLook(), send: createSendSignal(processes) }
  const textsByPipe = !accessTimesMove(options.privateDirectory)
  const ports = { ...options, interrupt, ...terminal, fifos, slots, tokens, textsByPipe, brief: createBriefWait() }
  const remote = createRemoteParts({ ...options, ...options.remote, boot: processes.bootId(), tokens })
  const dialects = (["bash", "sh"] as const).filter((name) => options.shells[name] !== undefined)
  return {
    openerFor: (spec, secrets, adopted) =>
      spec.reach.kind === "local"
        ? createLocalOpener(
            spec,
            { ...ports, secrets },
            adopted !== undefined && "layout" in adopted ? adopted : undefined,
          )
        : remote.openerFor(spec, secrets, adopted !== undefined && "folder" in adopted ? adopted : undefined),
    endFar: remote.endFar,
    hasTerminal: "terminal" in terminal,
    startOneShot: remote.startOneShot,
    resumeOneShot: remote.resumeOneShot,
    resolve: remote.resolve,
    capabilities: async () => ({ dialects, tty: "terminal" in terminal, ...(await remote.capabilities()) }),
    renew() {
      slots.renew()
      fifos.renew()
    },
    close() {
      slots.close()
      fifos.close()
    },
  }
}
