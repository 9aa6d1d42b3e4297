import { jobOwner } from "../jobs/access.ts"
import type { EnvironmentEntry } from "../jobs/environment.ts"
import type { Call } from "../kernel/call.ts"
import { isToolError, restate } from "../kernel/error.ts"
import type { ProjectPk, SessionId, ShellUid } from "../kernel/ids.ts"
import { secretVariables } from "../kernel/redaction/learned.ts"
import type { Runner } from "../runners/runner.ts"
import type { Tx } from "../store.ts"
import { changeShell, hostOf, shellTopic } from "./commit.ts"
import { endedError, limitReached } from "./errors.ts"
import type { Dialect, Shell, ShellTarget } from "./record.ts"
import type { Reach, ShellFacts, ShellSpec } from "./runner.ts"
import { asClosed, asKnown } from "./states.ts"

/** A shell to open for a call, its input already checked. */
export interface OpenPlan {
  readonly family: Shell["family"]
  readonly target: ShellTarget
  readonly reach: Reach
  /** Absent: bash, or sh where that is absent. */
  readonly dialect?: Dialect
  readonly cwd?: string
  readonly env: readonly EnvironmentEntry[]
  readonly onExit: Shell["onExit"]
  readonly idleTtlMs: number
  readonly outputBudgetJson?: string
  readonly fenceJson?: string
  readonly init?: string
  readonly policyFingerprint?: string
  readonly openDigest?: string
  /** Where the shell belongs to a Session. */
  readonly bound?: { readonly sessionId: SessionId; readonly projectPk: ProjectPk }
}

/** What the transaction of a new row may find instead of making one. */
export interface OpenHooks {
  /** Looks before the row is made; a shell that it returns is the answer. */
  readonly existing?: (tx: Tx) => Promise<Shell | undefined>
}

/** A shell that was opened, or was there already. */
export interface Opened {
  readonly shell: Shell
  readonly facts?: ShellFacts
  readonly already: boolean
}

/**
 * Opens a shell: its row, which counts against the cap, before its process (spec shells.md §3). What fails leaves the row
 * closed and its slot free. Throws `shell_limit_reached` and what the Runner's `open` throws.
 */
export async function openShell<O extends object>(
  call: Call<O>,
  runner: Runner,
  plan: OpenPlan & OpenHooks,
): Promise<Opened> {
  const { store, ids } = call.ports
  const shellUid = ids.shellUid()
  // Its host has to be met before a row can name it.
  await runner.shells.facts(shellUid)
  const made = await store.write((tx) => makeRow(tx, call, { runner, plan, shellUid }))
  if (made.already) return made
  const { shell } = made
  try {
    const facts = await runner.shells.open(specOf(call, shell, plan))
    const known = { now: call.now(), hostId: hostOf(runner) }
    const opened = asKnown(shell, facts, known) ?? shell
    call.ports.shells.log.note(opened, { event: "open", shell: opened.dialect, cwd: facts.cwd })
    return { shell: opened, facts, already: false }
  } catch (error) {
    await store.write((tx) => changeShell(tx, shell.shellUid, (row) => asClosed(row, "start_failed", call.now())))
    throw isToolError(error) ? restate(error, { executionState: "not_started", cause: error }) : error
  }
}

/** The shell runs: committed with the call's end, then told to who waits for it. */
export async function commitOpened<O extends object>(
  call: Call<O>,
  { shell, facts }: Opened,
  output: (facts: ShellFacts | undefined) => O,
): Promise<O> {
  const committed = await call.commit(async (tx) => {
    const known = { now: call.now(), hostId: shell.hostId }
    if (facts !== undefined) await commitKnown(tx, shell, (row) => asKnown(row, facts, known))
    return output(facts)
  })
  call.ports.signals.notify(shellTopic(shell.shellUid))
  return committed
}

/** Throws what the shell was closed with while it was opened; its process is ended by its supervisor. */
async function commitKnown(tx: Tx, { shellUid }: Shell, known: (row: Shell) => Shell | undefined): Promise<void> {
  const result = await changeShell(tx, shellUid, known)
  const refusal = result === undefined ? undefined : endedError(result.shell)
  if (refusal !== undefined) throw refusal
}

interface RowPlan {
  readonly runner: Runner
  readonly plan: OpenPlan & OpenHooks
  readonly shellUid: ShellUid
}

async function makeRow<O extends object>(tx: Tx, call: Call<O>, parts: RowPlan): Promise<Opened> {
  const { plan } = parts
  const existing = await plan.existing?.(tx)
  if (existing !== undefined) return { shell: existing, already: true }
  const { settings, names } = call.ports.shells
  const max = plan.family === "free" ? settings.maxFree : settings.maxBound
  if ((await tx.shells.countLive(plan.family)) >= max) throw limitReached(max)
  const shellId = plan.family === "bound" ? call.ports.ids.boundShell() : await names.next(tx, plan.target)
  const shell = newShell(call, parts, shellId)
  await tx.shells.insert(shell)
  await call.hint(tx, { shell_uid: shell.shellUid })
  if (plan.family === "free") names.spend()
  return { shell, already: false }
}

function newShell<O extends object>(call: Call<O>, { runner, plan, shellUid }: RowPlan, shellId: string): Shell {
  const now = call.now()
  const hostId = hostOf(runner)
  return {
    shellUid,
    shellId,
    family: plan.family,
    ownerPrincipal: call.principal.id,
    ownerFingerprint: jobOwner(call.caller),
    ...plan.bound,
    target: plan.target,
    dialect: plan.dialect ?? "bash",
    initialCwd: plan.cwd ?? "",
    onExit: plan.onExit,
    idleTtlMs: plan.idleTtlMs,
    ...(plan.outputBudgetJson === undefined ? {} : { outputBudgetJson: plan.outputBudgetJson }),
    ...(plan.fenceJson === undefined ? {} : { fenceJson: plan.fenceJson }),
    ...(plan.policyFingerprint === undefined ? {} : { policyFingerprint: plan.policyFingerprint }),
    ...(plan.openDigest === undefined ? {} : { openDigest: plan.openDigest }),
    generation: 0,
    state: "opening",
    ...(hostId === undefined ? {} : { hostId }),
    createdAt: now,
    lastUsedAt: now,
    revision: 1,
  }
}

function specOf<O extends object>(call: Call<O>, shell: Shell, plan: OpenPlan): ShellSpec {
  return {
    shellUid: shell.shellUid,
    reach: plan.reach,
    dialect: plan.dialect ?? "bash",
    exact: plan.dialect !== undefined,
    ...(plan.cwd === undefined ? {} : { cwd: plan.cwd }),
    env: plan.env,
    onExit: plan.onExit,
    idleTtlMs: plan.idleTtlMs,
    backgroundTtlMs: call.ports.shells.settings.backgroundTtlMs,
    ...(plan.init === undefined ? {} : { init: plan.init }),
    secrets: secretVariables(plan.env),
  }
}
