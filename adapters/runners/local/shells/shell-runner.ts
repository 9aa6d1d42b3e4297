import { ToolError } from "../../../../core/kernel/error.ts"
import type { JobId, ShellUid } from "../../../../core/kernel/ids.ts"
import { learnedLiterals } from "../../../../core/kernel/redaction/learned.ts"
import type { Literal } from "../../../../core/kernel/redaction/redactor.ts"
import type { ShellRunner, ShellSpec } from "../../../../core/shells/runner.ts"
import { type ByteMaskFactory, maskText } from "../host/byte-mask.ts"
import { createChanges } from "../host/changes.ts"
import type { JobSpool } from "../host/job-spool.ts"
import type { Journal } from "../host/journal.ts"
import type { RunTable } from "../host/run-table.ts"
import { createShellCommand } from "./command.ts"
import { shellClosed } from "./errors.ts"
import { createIdleClock } from "./idle.ts"
import { stateOf } from "./life.ts"
import { createLiveShell, type LiveShell } from "./shell.ts"
import type { SeatOpener } from "./transport.ts"

const MAX_LEARNED = 64

/** What the shells of a host need from it. */
export interface ShellRunnerPorts {
  readonly runs: RunTable
  readonly journal: Journal
  readonly mask: ByteMaskFactory
  readonly outputLimitBytes: number
  spoolFor(jobId: JobId, secrets: readonly Literal[]): JobSpool
  openerFor(spec: ShellSpec, secrets: () => readonly string[]): SeatOpener
  bootId(): string
  now(): number
  capabilities(): ReturnType<ShellRunner["capabilities"]>
}

/** The live shells of a host and their end. */
export interface ShellHost extends ShellRunner {
  /** `end` closes every shell; `keep` leaves them to themselves. */
  shutDown(processes: "end" | "keep"): Promise<void>
}

/** Holds the live shells of one host (spec shells.md §2.2). */
export function createShellHost(ports: ShellRunnerPorts): ShellHost {
  const shells = new Map<ShellUid, LiveShell>()
  const opening = new Map<ShellUid, Promise<void>>()
  const milestones = createChanges()
  const news = new Map<ShellUid, { sequence: number; state: string; generation: number }>()
  let sequence = 0
  const idle = createIdleClock(() => shells.values())

  function follow(shell: LiveShell): void {
    const { life } = shell
    const look = (): void => {
      const known = news.get(shell.uid)
      if (known?.state !== stateOf(life) || known.generation !== life.generation) {
        sequence += 1
        news.set(shell.uid, { sequence, state: stateOf(life), generation: life.generation })
        milestones.notify()
      }
      if (shells.get(shell.uid) === shell) void life.changes.next().then(look)
    }
    look()
  }

  function create(spec: ShellSpec): LiveShell {
    const learned: Literal[] = []
    const secretsOf = (): readonly string[] => [...spec.secrets, ...learned].map(({ value }) => value)
    return createLiveShell(spec, ports.openerFor(spec, secretsOf), {
      now: ports.now,
      accept(command, { life, queuedMs, stop }) {
        learned.push(...learnedLiterals(command.text).slice(0, MAX_LEARNED - learned.length))
        const secrets = [...spec.secrets, ...command.secrets, ...learned]
        ports.journal.append({ e: "accepted", job: command.jobId, at: ports.now(), boot: ports.bootId() })
        const accepted = createShellCommand(command, {
          spool: ports.spoolFor(command.jobId, secrets),
          journal: ports.journal,
          mask: (text) => maskText(ports.mask(secrets), text),
          shell: {
            generation: life.generation,
            cwd: life.cwd.path,
            cwdDeleted: life.cwd.deleted,
            lateOutput: [],
            intTrapReset: false,
          },
          queuedMs,
          outputLimitBytes: ports.outputLimitBytes,
          stop,
          now: ports.now,
        })
        ports.runs.add({ execution: accepted, leave: () => undefined, queuePosition: () => undefined })
        ports.runs.noteStarted(command.jobId)
        return accepted
      },
    })
  }

  const unsupported = (): never => {
    throw new ToolError("checkpoint_unsupported", "Checkpoints exist for remote workspaces. Use the workspace tools.", {
      details: { reason: "local" },
      executionState: "not_started",
    })
  }

  async function openNew(spec: ShellSpec): Promise<void> {
    const shell = create(spec)
    shells.set(spec.shellUid, shell)
    try {
      await shell.open()
      follow(shell)
      idle.arm()
    } catch (error) {
      shells.delete(spec.shellUid)
      throw error
    } finally {
      opening.delete(spec.shellUid)
    }
  }

  function get(shellUid: ShellUid): LiveShell {
    const shell = shells.get(shellUid)
    if (shell !== undefined) return shell
    throw shellClosed("unknown", ports.now())
  }

  return {
    async open(spec) {
      if (!shells.has(spec.shellUid)) opening.set(spec.shellUid, openNew(spec))
      await opening.get(spec.shellUid)
      return get(spec.shellUid).facts()
    },
    claim: (shellUid, options) => get(shellUid).claim(options),
    async release(claimId) {
      for (const shell of shells.values()) if (claimId.startsWith(`${shell.uid}.`)) shell.release(claimId)
    },
    async exec(spec) {
      const known = ports.runs.get(spec.jobId)
      if (known !== undefined) return ports.runs.factsOf(known)
      return get(spec.shellUid).exec(spec).facts()
    },
    async close(shellUid, options) {
      return shells.get(shellUid)?.close(options)
    },
    facts: async (shellUid) => shells.get(shellUid)?.facts(),
    async touch(shellUid) {
      shells.get(shellUid)?.touch()
    },
    inventory: () => Promise.all([...shells.values()].map((shell) => shell.facts())),
    async events({ since, signal }) {
      for (;;) {
        const fresh = [...news].filter(([, entry]) => entry.sequence > since)
        if (fresh.length > 0 || signal?.aborted === true) return { sequence, shellUids: fresh.map(([uid]) => uid) }
        await milestones.next(signal)
      }
    },
    async ack(shellUids) {
      for (const uid of shellUids) {
        if (shells.get(uid)?.life.closedAt === undefined) continue
        shells.delete(uid)
        news.delete(uid)
      }
    },
    checkpoint: async () => unsupported(),
    checkpoints: async () => unsupported(),
    restore: async () => unsupported(),
    capabilities: ports.capabilities,
    async shutDown(processes) {
      const all = [...shells.values()].filter((shell) => shell.life.closedAt === undefined)
      if (processes === "end")
        await Promise.all(all.map((shell) => shell.close({ reason: "shutdown", background: "kill" })))
      idle.stop()
      for (const shell of all) shell.abandon()
    },
  }
}
