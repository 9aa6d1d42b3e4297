import { ToolError } from "../../../../core/kernel/error.ts"
import type { JobId, ShellUid } from "../../../../core/kernel/ids.ts"
import { learnedLiterals } from "../../../../core/kernel/redaction/learned.ts"
import type { Literal } from "../../../../core/kernel/redaction/redactor.ts"
import type { ShellCommandSpec, ShellEnd, ShellRunner, ShellSpec } from "../../../../core/shells/runner.ts"
import { type ByteMaskFactory, maskText } from "../host/byte-mask.ts"
import { createChanges } from "../host/changes.ts"
import type { JobSpool } from "../host/job-spool.ts"
import type { Journal } from "../host/journal.ts"
import type { RunTable } from "../host/run-table.ts"
import type { AnyGeneration } from "./adopt/adopted-generation.ts"
import { resumedSpec } from "./adopt/resumed-spec.ts"
import type { ResumedRun, ShellAdopter } from "./adopt/shell-adopter.ts"
import type { ShellJournal } from "./adopt/shell-journal.ts"
import { type CommandPorts, createShellCommand, type ShellCommand } from "./command.ts"
import { createEndJournal } from "./end-journal.ts"
import { noTerminal, shellClosed } from "./errors.ts"
import { createIdleClock } from "./idle.ts"
import { endLife, runFactsOf, type ShellLife, stateOf } from "./life.ts"
import { createLiveShell, type LiveShell, type ShellPorts } from "./shell.ts"
import type { SeatCheckpoints, SeatLink, SeatOpener } from "./transport.ts"

const MAX_LEARNED = 64
/** Of a shell of which nothing is known but its end. */
const NO_SPEC = {
  reach: { kind: "local" },
  dialect: "bash",
  env: [],
  onExit: "close",
  idleTtlMs: 0,
  backgroundTtlMs: 0,
  secrets: [],
} as const

/** What the shells of a host need from it. */
export interface ShellRunnerPorts {
  readonly runs: RunTable
  readonly journal: Journal
  readonly mask: ByteMaskFactory
  readonly outputLimitBytes: number
  spoolFor(jobId: JobId, secrets: readonly Literal[]): JobSpool
  openerFor(spec: ShellSpec, secrets: () => readonly string[], adopted?: AnyGeneration): SeatOpener
  readonly shellJournal: Pick<ShellJournal, "append">
  readonly bootId: string
  /** Commands of shells of this machine can be given a terminal. */
  readonly hasTerminal: boolean
  now(): number
  readonly resolve: ShellRunner["resolve"]
  recall(shellUid: ShellUid): ShellEnd | undefined
  capabilities(): ReturnType<ShellRunner["capabilities"]>
}

/** The live shells of a host and their end. */
export interface ShellHost extends ShellRunner, ShellAdopter {
  /** `end` closes every shell; `keep` leaves them to themselves. */
  shutDown(processes: "end" | "keep"): Promise<void>
}

const isOver = (life: ShellLife): boolean => life.closedAt !== undefined

async function untilOver(life: ShellLife): Promise<void> {
  while (!isOver(life)) await life.changes.next()
  // Its pipes are read to the end of its process and of what ran in it.
  while (life.closing && life.seat !== undefined) await life.changes.next()
  await life.seat?.died
  await life.running?.command.ended
}

/** While the machine of its shell cannot be asked, a command says so (spec shells.md §9.1). */
async function followLink(link: SeatLink | undefined, command: ShellCommand): Promise<void> {
  if (link === undefined) return
  const over = new AbortController()
  void command.ended.then(() => over.abort())
  while (!over.signal.aborted) {
    command.noteLink(link.isRecovering)
    await link.changed(over.signal)
  }
}

/** Holds the live shells of one host (spec shells.md §2.2). */
export function createShellHost(ports: ShellRunnerPorts): ShellHost {
  const shells = new Map<ShellUid, LiveShell>()
  const opening = new Map<ShellUid, Promise<void>>()
  const milestones = createChanges()
  const news = new Map<ShellUid, { sequence: number; state: string; generation: number }>()
  let sequence = 0
  const idle = createIdleClock(() => shells.values())
  const ends = createEndJournal(ports.journal)

  function follow(shell: LiveShell): void {
    const { life } = shell
    const look = (): void => {
      const known = news.get(shell.uid)
      if (known?.state !== stateOf(life) || known.generation !== life.generation) {
        sequence += 1
        news.set(shell.uid, { sequence, state: stateOf(life), generation: life.generation })
        milestones.notify()
      }
      if (isOver(life) && !over) {
        over = true
        noteOver(shell.uid, life)
      }
      if (shells.get(shell.uid) === shell) void life.changes.next().then(look)
    }
    let over = false
    look()
  }

  function noteOver(shell: ShellUid, { state, reason = "", closedAt = ports.now() }: ShellLife): void {
    if (state !== "closed" && state !== "lost" && state !== "poisoned") return
    ports.shellJournal.append({ e: "closed", shell, at: closedAt, state, reason })
  }

  function create(spec: ShellSpec, from: { generation?: AnyGeneration; run?: ResumedRun | undefined } = {}): LiveShell {
    const learned: Literal[] = []
    const secretsOf = (): readonly string[] => [...spec.secrets, ...learned].map(({ value }) => value)
    const secretsWith = (command: ShellCommandSpec): readonly Literal[] => {
      learned.push(...learnedLiterals(command.text).slice(0, MAX_LEARNED - learned.length))
      return [...spec.secrets, ...command.secrets, ...learned]
    }
    function take(
      command: ShellCommandSpec,
      { life, queuedMs, stop }: Parameters<ShellPorts["accept"]>[1],
      place: Pick<CommandPorts, "spool" | "journal" | "startedAt"> & { readonly secrets: readonly Literal[] },
    ): ShellCommand {
      const { secrets } = place
      const accepted = createShellCommand(command, {
        ...place,
        mask: (text) => maskText(ports.mask(secrets), text),
        shell: runFactsOf(life),
        queuedMs,
        outputLimitBytes: ports.outputLimitBytes,
        stop,
        now: ports.now,
      })
      ports.runs.add({ execution: accepted, leave: () => undefined, queuePosition: () => undefined })
      ports.runs.noteStarted(command.jobId)
      void followLink(life.seat?.link, accepted)
      return accepted
    }
    return createLiveShell(spec, ports.openerFor(spec, secretsOf, from.generation), {
      now: ports.now,
      accept(command, parts) {
        const secrets = secretsWith(command)
        ends.accept({ e: "accepted", job: command.jobId, at: ports.now(), boot: ports.bootId })
        return take(command, parts, { secrets, spool: () => ports.spoolFor(command.jobId, secrets), journal: ends })
      },
      resume(run, parts) {
        const command = resumedSpec(spec, run)
        const secrets = secretsWith(command)
        const { spoolFor, journal } = from.run ?? ports
        const { startedAt } = run.record
        return take(
          command,
          { ...parts, queuedMs: 0 },
          {
            secrets,
            spool: () => spoolFor(command.jobId, secrets),
            journal: createEndJournal(journal, true),
            startedAt,
          },
        )
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

  const checkpointsOf = (shellUid: ShellUid): SeatCheckpoints => get(shellUid).life.opener.checkpoints ?? unsupported()

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
      if (spec.tty && (!ports.hasTerminal || get(spec.shellUid).life.seat?.link !== undefined)) throw noTerminal()
      return get(spec.shellUid).exec(spec).facts()
    },
    resolve: ports.resolve,
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
        ports.shellJournal.append({ e: "settled", shell: uid })
      }
    },
    recall: async (shellUid) => ports.recall(shellUid),
    async adopt(spec, from) {
      const shell = create(spec, from)
      const { card } = from.generation
      shells.set(spec.shellUid, shell)
      await shell.adopt({ generation: card.generation, initialCwd: card.initialCwd, run: from.run })
      follow(shell)
      idle.arm()
      const detached = from.detached.map(async ({ generation, run }) => {
        const secrets = (): readonly string[] => spec.secrets.map(({ value }) => value)
        const seat = await ports.openerFor(spec, secrets, generation).open()
        await shell.adoptDetached(seat, run)
      })
      return { over: Promise.all([untilOver(shell.life), ...detached]).then(() => undefined) }
    },
    showEnded({ shellUid }, end) {
      const shell = create({ ...NO_SPEC, shellUid })
      shells.set(shellUid, shell)
      endLife(shell.life, end)
      follow(shell)
    },
    holds: (shellUid) => shells.has(shellUid),
    checkpoint: async (shellUid, label) => checkpointsOf(shellUid).create(label),
    checkpoints: async (shellUid) => checkpointsOf(shellUid).list(),
    restore: async (shellUid, checkpointId) => checkpointsOf(shellUid).restore(checkpointId),
    capabilities: ports.capabilities,
    async shutDown(processes) {
      const all = [...shells.values()].filter((shell) => shell.life.closedAt === undefined)
      if (processes === "end")
        await Promise.all(all.map((shell) => shell.close({ reason: "shutdown", background: "kill" })))
      idle.stop()
      ends.close()
      for (const shell of all) shell.abandon()
    },
  }
}
