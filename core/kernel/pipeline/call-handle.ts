import { currentCaller } from "../../access/authenticate.ts"
import { mayAccessProject } from "../../access/principal.ts"
import type { OpenCallHint } from "../../ledger/store.ts"
import type { Project } from "../../projects/record.ts"
import type { Runner } from "../../runners/runner.ts"
import type { WorkflowSession } from "../../sessions/record.ts"
import type { Tx } from "../../store.ts"
import type { Call, CallPorts, Deadline } from "../call.ts"
import { ToolError } from "../error.ts"
import type { CallId, InvocationId, SessionId } from "../ids.ts"
import type { CallRequest } from "../kernel.ts"
import type { PermissionDecision } from "../permission.ts"
import type { ActiveCall } from "./active-call.ts"
import { type Finished, finishInTx, type OpenedCall } from "./finish.ts"
import { invalidFields } from "./invalid-arguments.ts"
import { loadSession, projectNotFound } from "./load-session.ts"
import { openRows, rowIds } from "./open-rows.ts"
import { type ParsedOutput, parseOutput } from "./output.ts"
import type { KernelParts } from "./parts.ts"
import { requireOneProject, runnerUnavailable } from "./targets.ts"

/** What a handle is made of. */
export interface HandleParts {
  readonly parts: KernelParts
  readonly ports: CallPorts
  readonly opened: OpenedCall
  readonly active: ActiveCall
  readonly deadline: Deadline
  readonly onProgress: CallRequest["onProgress"]
}

const PROGRESS_GAP_MS = 1000

/** A call as its handler sees it (spec kernel.md §1): explicit targets, ports, time, and one commit. */
export class CallHandle implements Call<ParsedOutput> {
  readonly #made: HandleParts
  #opened: OpenedCall
  #committed: Finished | undefined
  #progressAt = Number.NEGATIVE_INFINITY

  constructor(made: HandleParts) {
    this.#made = made
    this.#opened = made.opened
  }

  /** The call with the Project that its handler bound, for the event of its end. */
  get opened(): OpenedCall {
    return this.#opened
  }

  /** The end that the handler committed itself, if it did. */
  get committed(): Finished | undefined {
    return this.#committed
  }

  get callId(): CallId {
    return this.#opened.begun.callId
  }
  get invocationId(): InvocationId {
    return this.#opened.begun.invocationId
  }
  get tool(): string {
    return this.#opened.plan.tool.name
  }
  get caller(): Call["caller"] {
    const { principal, authority, scopes, projects, mode } = this.#opened.plan.caller
    return { principal, authority, scopes, projects, ...(mode === undefined ? {} : { mode }) }
  }
  get principal(): Call["principal"] {
    return this.#opened.plan.caller.principal
  }
  get door(): Call["door"] {
    return this.#opened.plan.door
  }
  get project(): Project | undefined {
    return this.#opened.plan.targets.project
  }
  get session(): WorkflowSession | undefined {
    return this.#opened.plan.targets.business
  }
  get recorder(): SessionId | undefined {
    return this.#opened.plan.targets.recorder?.sessionId
  }
  get ports(): CallPorts {
    return this.#made.ports
  }
  get deadline(): Deadline {
    return this.#made.deadline
  }
  get signal(): AbortSignal {
    return this.#made.active.signal
  }
  get sleeper(): Call["sleeper"] {
    return this.#made.active
  }
  get mayRest(): boolean {
    const { plan, begun } = this.#opened
    return plan.tool.definition.effect === "observe" && begun.roles.length + begun.rows.length === 0
  }
  get accessUntil(): number | undefined {
    return this.#opened.plan.caller.credential.expiresAt
  }
  get permission(): PermissionDecision | undefined {
    return this.#opened.plan.decision
  }
  get pathGuard(): Call["pathGuard"] {
    return this.#opened.plan.chat?.allows
  }
  get budget(): { readonly chars: number } {
    return { chars: this.#opened.plan.replyLimit }
  }

  get acknowledges(): boolean {
    return this.#opened.plan.acknowledges
  }

  now(): number {
    return this.#made.parts.clock.now()
  }

  requireProject(): Project {
    if (this.project !== undefined) return this.project
    throw new ToolError(
      "project_required",
      `${this.tool} needs a project here. Send one of the slugs of list_projects.`,
    )
  }

  requireSession(): WorkflowSession {
    if (this.session !== undefined) return this.session
    const { schemaHash } = this.#made.parts.catalogue
    throw invalidFields({ tool: this.tool, fields: [{ path: "session_id", code: "required" }], schemaHash })
  }

  async requireAccess(tx: Tx): Promise<void> {
    const { caller, targets } = this.#opened.plan
    const now = await currentCaller(tx, caller, this.now())
    const { recorder, business } = targets
    if (recorder !== undefined) await loadSession(tx, { id: recorder.sessionId, role: "recorder", caller: now })
    if (business !== undefined) await loadSession(tx, { id: business.sessionId, role: "business", caller: now })
  }

  runner(): Runner {
    const project = this.requireProject()
    const runner = this.#made.parts.runners.get(project.clientId)
    if (runner === undefined) throw runnerUnavailable(project)
    return runner
  }

  progress(fraction: number | undefined, text: string): void {
    const { onProgress, parts } = this.#made
    const now = parts.clock.monotonic()
    if (onProgress === undefined || now - this.#progressAt < PROGRESS_GAP_MS) return
    this.#progressAt = now
    try {
      onProgress({ text, ...(fraction === undefined ? {} : { fraction }) })
    } catch (error) {
      // A host that cannot be told how far a call is still gets its result.
      parts.telemetry.fault(error, { requestId: this.#opened.plan.requestId, tool: this.tool })
    }
  }

  bindProject(project: Project): void {
    const { plan, begun } = this.#opened
    if (!mayAccessProject(plan.caller, project.slug)) throw projectNotFound()
    const { recorder, business } = plan.targets
    requireOneProject({ recorder, business, request: project })
    this.#opened = { begun, plan: { ...plan, targets: { ...plan.targets, project } } }
  }

  async hint(tx: Tx, hint: OpenCallHint): Promise<void> {
    const { plan, begun } = this.#opened
    if (begun.rows.length > 0) {
      for (const callId of begun.rows) await tx.openCalls.setHint(callId, hint)
      return
    }
    const rows = openRows(this.#made.parts, plan, { ...begun, at: this.now() })
    await tx.openCalls.insert(rows.map((row) => ({ ...row, hint })))
    this.#opened = { plan, begun: { ...begun, rows: rowIds(begun) } }
  }

  async commit(work: (tx: Tx) => Promise<ParsedOutput>): Promise<ParsedOutput> {
    if (this.#committed !== undefined) throw new Error(`${this.tool} commits twice`)
    const { parts } = this.#made
    this.#committed = await parts.store.write(async (tx) => {
      const taken = await tx.openCalls.take(this.#opened.begun.rows)
      if (taken.length < this.#opened.begun.rows.length) throw interrupted()
      const output = parseOutput(this.#opened.plan.tool.definition, await work(tx))
      return finishInTx(tx, parts, { call: this.#opened, outcome: { output }, taken })
    })
    const { outcome } = this.#committed
    return "output" in outcome ? outcome.output : {}
  }
}

/** Recovery has already told this call's end as "nothing changed", so nothing may change any more. */
function interrupted(): ToolError<"interrupted"> {
  return new ToolError(
    "interrupted",
    "The server was suspended so long that this call was given up before it changed anything. Call again.",
  )
}
