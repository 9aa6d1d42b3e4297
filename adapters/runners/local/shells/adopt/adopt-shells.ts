import { basename, dirname } from "node:path"
import { secretVariables } from "../../../../../core/kernel/redaction/learned.ts"
import type { Literal } from "../../../../../core/kernel/redaction/redactor.ts"
import type { ShellEnd, ShellSpec } from "../../../../../core/shells/runner.ts"
import type { TakenHost } from "../../host/adoption/taken-host.ts"
import type { ByteMaskFactory } from "../../host/byte-mask.ts"
import type { Execution } from "../../host/execution.ts"
import { createJobSpool, spoolDirectory } from "../../host/job-spool.ts"
import type { ProcessTable } from "../../host/process-table.ts"
import { removeLayout } from "../layout.ts"
import { type FarCard, specOfFar } from "../remote/adopt/far-card.ts"
import { type FoundFarShell, findFarShell } from "../remote/adopt/find-far.ts"
import { adoptLate } from "./adopt-late.ts"
import type { AnyGeneration } from "./adopted-generation.ts"
import { specOf } from "./card.ts"
import { endGeneration } from "./end-generation.ts"
import { type FoundGeneration, type FoundShell, findGenerations, type OpenRun } from "./find-generations.ts"
import type { ResumedRun, ShellAdopter } from "./shell-adopter.ts"
import { type JournalledShell, openShellJournal, readShellJournal } from "./shell-journal.ts"

/** What the adopting host gives. */
export interface ShellAdoptionPorts {
  readonly processes: ProcessTable
  readonly mask: ByteMaskFactory
  readonly spoolJobBytes: number
  readonly outputLimitBytes: number
  /** Looks after a command that has ended and whose children still write. */
  add(execution: Execution): void
  readonly shells: ShellAdopter
  /** Ends what is left of a shell elsewhere with which nobody goes on, if its target can be reached. */
  endFar(card: FarCard): Promise<void>
  /** Keeps the runtime folder that the host of this id made, until then. */
  holdFolder(hostId: string, until: Promise<unknown>): void
  now(): number
}

/**
 * Goes on with the shells of hosts that are gone (spec shells.md §6): the same processes under the same ids, their running
 * commands, or a restore from the newest snapshot where the process is gone too. All hosts at once: what runs in a shell of
 * one may have been accepted by another that died before it.
 */
export async function adoptShells(hosts: readonly TakenHost[], ports: ShellAdoptionPorts): Promise<void> {
  const resumed = new Set<string>()
  for (const taken of hosts) {
    const journal = openShellJournal(taken.directory)
    for (const shell of readShellJournal(taken.directory)) {
      if (!ports.shells.holds(shell.shellUid)) {
        for (const job of await adoptShell(shell, { taken, hosts, ports })) resumed.add(job)
      }
      journal.append({ e: "settled", shell: shell.shellUid })
    }
    journal.close()
    await adoptLate(taken, ports)
  }
  for (const taken of hosts) concludeUnsent(taken, { resumed, now: ports.now() })
}

interface Source {
  readonly taken: TakenHost
  readonly hosts: readonly TakenHost[]
  readonly ports: ShellAdoptionPorts
}

/** Resolves with the Jobs that are gone on with in it. */
async function adoptShell(shell: JournalledShell, source: Source): Promise<readonly string[]> {
  const { ports } = source
  const { shellUid } = shell
  const isOpen = (job: string): boolean => openHost(source.hosts, job) !== undefined
  const far = findFarShell(shell, ports.processes.bootId(), isOpen)
  if (far !== undefined) return adoptFarShell(shell, far, source)
  const found = findGenerations(shell, ports.processes, isOpen)
  const { current } = found
  const isOver = shell.closed !== undefined || current === undefined
  for (const one of [...found.stale, ...(shell.closed === undefined ? [] : everything(found))]) {
    await endGeneration(one, ports.processes, { withChildren: isOver })
  }
  const end = shell.closed ?? endOf(found, ports.now())
  if (end !== undefined || current === undefined) {
    if (current !== undefined) removeLayout(current.layout)
    if (end !== undefined) ports.shells.showEnded({ shellUid }, end)
    return []
  }
  return goOn(recollected(current, ports.processes), { ...found, current, folder: current.layout.directory }, source)
}

/** A shell elsewhere: whether it lives, only its target knows (spec shells.md §9.1). */
async function adoptFarShell(shell: JournalledShell, found: FoundFarShell, source: Source): Promise<readonly string[]> {
  const { shellUid, closed } = shell
  const { current, any } = found
  if (closed !== undefined || current === undefined) {
    source.ports.endFar(any.card).catch(() => undefined)
    const failed = { state: "closed", reason: "start_failed", at: source.ports.now() } as const
    source.ports.shells.showEnded({ shellUid }, closed ?? failed)
    return []
  }
  return goOn(specOfFar(current.card, []), { ...found, current, folder: current.folder }, source)
}

interface Found<G extends AnyGeneration> {
  readonly current: G & { readonly run: OpenRun | undefined }
  readonly detached: readonly (G & { readonly run: OpenRun | undefined })[]
  /** Of the current one, on this machine. */
  readonly folder: string
}

/** Resolves with the Jobs that are gone on with. */
async function goOn<G extends AnyGeneration>(
  spec: ShellSpec,
  { current, detached: old, folder }: Found<G>,
  source: Source,
): Promise<readonly string[]> {
  const { ports } = source
  const run = current.run === undefined ? undefined : resumedRun(current, current.run, source)
  const detached = old.flatMap((generation) =>
    generation.run === undefined ? [] : [{ generation, run: resumedRun(generation, generation.run, source) }],
  )
  const { over } = await ports.shells.adopt(spec, { generation: current, run, detached })
  ports.holdFolder(basename(dirname(folder)), over)
  for (const host of source.hosts) host.holdUntil(over)
  return [...(run === undefined ? [] : [run.record.job]), ...detached.map((one) => one.run.record.job)]
}

/** How a shell is over that cannot go on (spec shells.md §6). */
function endOf({ current, stale }: FoundShell, at: number): ShellEnd | undefined {
  if (current === undefined) {
    return stale.length > 0
      ? { state: "closed", reason: "start_failed", at }
      : { state: "lost", reason: "process_gone", at }
  }
  const isBare = !current.isAlive && current.inherited === undefined && current.run === undefined
  return isBare ? { state: "lost", reason: "process_gone", at } : undefined
}

/**
 * Tells the shells of a host that lived before the machine started anew: no process of theirs can live (spec shells.md §6).
 */
export function tellMachineRestarted(
  directory: string,
  ports: Pick<ShellAdoptionPorts, "shells" | "processes" | "now">,
): void {
  const shells = readShellJournal(directory).filter(({ opened }) =>
    opened.every((one) => one.boot !== ports.processes.bootId()),
  )
  if (shells.length === 0) return
  const journal = openShellJournal(directory)
  for (const { shellUid, closed } of shells) {
    const end = closed ?? { state: "lost" as const, reason: "machine_restarted", at: ports.now() }
    if (!ports.shells.holds(shellUid)) ports.shells.showEnded({ shellUid }, end)
    journal.append({ e: "settled", shell: shellUid })
  }
  journal.close()
}

const everything = ({ current, detached }: FoundShell): readonly FoundGeneration[] => [
  ...(current === undefined ? [] : [current]),
  ...detached,
]

/** The host in whose journal the command has begun and not ended. */
const openHost = (hosts: readonly TakenHost[], job: string): TakenHost | undefined =>
  hosts.find(({ runs }) => runs.has(job) && runs.get(job)?.ended === undefined)

/** Its Job's story goes on where it began; from elsewhere its bytes come once more. */
function resumedRun(generation: AnyGeneration, run: OpenRun, { taken, hosts, ports }: Source): ResumedRun {
  const { journal, directory } = openHost(hosts, run.record.job) ?? taken
  return {
    ...run,
    journal,
    spoolFor: (jobId, secrets) =>
      createJobSpool({
        directory: spoolDirectory(directory, jobId),
        capBytes: ports.spoolJobBytes,
        mask: ports.mask,
        secrets,
        resumed: true,
        replay: "folder" in generation,
      }),
  }
}

/** The spec as the card keeps it, with what only the memory of a dead host had read again from its process. */
function recollected({ card }: FoundGeneration, processes: ProcessTable): ShellSpec {
  const variables = processes.environmentOf(card.pid).map(variableOf)
  const withheld = variables.filter(({ name }) => card.spec.withheld.includes(name))
  const spec = specOf(card, [...withheld, ...secretVariables(variables)])
  return { ...spec, env: [...spec.env, ...withheld] }
}

function variableOf(entry: string): Literal {
  const at = entry.indexOf("=")
  return { name: entry.slice(0, Math.max(0, at)), value: entry.slice(at + 1) }
}

/** A command that was accepted and never sent did not start; one-shots have a place, commands of shells have none. */
function concludeUnsent(
  taken: TakenHost,
  { resumed, now }: { readonly resumed: ReadonlySet<string>; readonly now: number },
): void {
  const none = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0 }
  for (const [job, run] of taken.runs) {
    if (run.accepted.place !== undefined || run.ended !== undefined || resumed.has(job)) continue
    const outcome = { kind: "lost", reason: "never_started" } as const
    taken.journal.append({ e: "ended", job, at: now, outcome, totals: { stdout: none, stderr: none }, gap: false })
  }
}
