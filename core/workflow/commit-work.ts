import { missingScopes } from "../access/scopes.ts"
import type { Call } from "../kernel/call.ts"
import type { SessionId } from "../kernel/ids.ts"
import { cutToCodePoints, LINE_END } from "../kernel/text-schema.ts"
import type { SessionAttention } from "../messages/attention.ts"
import { readAttention } from "../messages/read-attention.ts"
import type { Project } from "../projects/record.ts"
import { registerRoot } from "../projects/register.ts"
import { isEmptyContext } from "../sessions/context.ts"
import { createSession } from "../sessions/create.ts"
import { readSession } from "../sessions/read.ts"
import type { ExecutionContext, SessionMode, WorkflowSession } from "../sessions/record.ts"
import { accepted, cutTitle, decideResume, type Resumed } from "../sessions/rules.ts"
import type { Tx } from "../store.ts"
import type { WorkObservation } from "./observe.ts"
import type { WorkPlace } from "./resolve.ts"

const MAX_INSTRUCTION = 4000

/** What a call asks of its Session, all checked (spec workflow.md §2.2 rows 1–10). */
export interface WorkOrder {
  /** Trimmed, not yet masked. */
  readonly instruction: string
  readonly mode?: SessionMode
  readonly context?: ExecutionContext
  readonly place: WorkPlace
  readonly observed: WorkObservation
}

/** What one commit made (spec workflow.md §2.3). */
export interface WorkDone {
  readonly session: WorkflowSession
  readonly project: Project
  readonly resumed: boolean
  /** Only for a directory. */
  readonly resolution?: "auto_registered" | "reused_existing_registration"
  /** Of a continued Session's board. */
  readonly attention?: SessionAttention
  readonly activeJobs: number
  readonly recoveringJobs: number
}

/** The first line of an instruction as a title; nothing when it is empty. */
function titleOf(instruction: string): string | undefined {
  const line = instruction.split(LINE_END, 1)[0]?.trim() ?? ""
  return line === "" ? undefined : cutTitle(line)
}

async function placeIn(tx: Tx, call: Call, place: WorkPlace): Promise<Pick<WorkDone, "project" | "resolution">> {
  if (place.kind === "registered") {
    const { project, byPath } = place
    return byPath ? { project, resolution: "reused_existing_registration" } : { project }
  }
  const { registration, facts } = place
  const { project, created } = await registerRoot(tx, registration, { ...call.ports, facts, at: call.now() })
  return { project, resolution: created ? "auto_registered" : "reused_existing_registration" }
}

/** Whether the caller may lift `deny_write_tools`. */
export function mayWrite(call: Pick<Call, "caller">): boolean {
  return missingScopes(["project:write"], call.caller.scopes).length === 0
}

async function begin(tx: Tx, call: Call, order: WorkOrder, project: Project): Promise<Resumed> {
  const { mode, context = {} } = order
  const title = titleOf(order.instruction)
  const session = await createSession(tx, call, {
    projectPk: project.pk,
    ...(title === undefined ? {} : { title }),
    ...(mode === undefined ? {} : { mode }),
    context,
  })
  return { session, capabilityChanged: false, contextChanged: !isEmptyContext(context) }
}

/** The checks of rows 3 to 5 again, on the Session as it is now. */
async function resume(tx: Tx, call: Call, order: WorkOrder, session: WorkflowSession): Promise<Resumed> {
  const { mode, context } = order
  const resumed = accepted(
    decideResume(await readSession(tx, session.sessionId), {
      ...(mode === undefined ? {} : { mode }),
      ...(context === undefined ? {} : { context }),
      mayWrite: mayWrite(call),
    }),
  )
  const title = resumed.session.title ?? titleOf(order.instruction)
  const masked = title === undefined ? {} : { title: cutTitle(call.ports.ledger.redact(title)) }
  const changed = { ...resumed.session, ...masked, updatedAt: Math.max(resumed.session.updatedAt, call.now()) }
  await tx.sessions.update(changed)
  return { ...resumed, session: changed }
}

/** A hand-over must not depend on its reader thinking of looking (spec workflow.md §2.4). */
async function attentionFor(tx: Tx, call: Call, sessionId: SessionId): Promise<SessionAttention | undefined> {
  const { acknowledges, ports } = call
  const redactor = ports.secrets.redactor()
  const door = { acknowledges, redact: (text: string) => redactor.redactText(text).text }
  return (await readAttention(tx, sessionId, { ...door, acks: [] })).attention
}

/** The whole of spec workflow.md §2.3 in the caller's transaction: registration, Session, coding row, `task_instruction`. */
export async function commitWork(tx: Tx, call: Call, order: WorkOrder): Promise<WorkDone> {
  const { ledger } = call.ports
  const placed = await placeIn(tx, call, order.place)
  const { project } = placed
  const { session, capabilityChanged, contextChanged } =
    call.session === undefined ? await begin(tx, call, order, project) : await resume(tx, call, order, call.session)
  const { sessionId } = session
  const masked = cutToCodePoints(ledger.redact(order.instruction), MAX_INSTRUCTION)
  const redacted = masked !== order.instruction
  if ((await tx.coding.bySession(sessionId)) === undefined) {
    const { baselineTree } = order.observed
    await tx.coding.insert({
      sessionId,
      rootInstruction: masked,
      rootRedacted: redacted,
      ...(baselineTree === undefined ? {} : { baselineTree }),
    })
  }
  await ledger.append(tx, sessionId, [
    {
      kind: "task_instruction",
      at: call.now(),
      door: call.door,
      instruction: masked,
      redacted,
      resumed: call.session !== undefined,
      ...(order.mode === undefined ? {} : { requested_mode: order.mode }),
      effective_mode: session.mode,
      guards: session.guards,
      capability_changed: capabilityChanged,
      execution_context_changed: contextChanged,
      ...(call.permission === undefined ? {} : { permission: call.permission }),
    },
  ])
  const jobs = await tx.jobs.active({ projectPk: project.pk })
  const attention = call.session === undefined ? undefined : await attentionFor(tx, call, sessionId)
  return {
    ...placed,
    session,
    ...(attention === undefined ? {} : { attention }),
    resumed: call.session !== undefined,
    activeJobs: jobs.length,
    recoveringJobs: jobs.filter((job) => job.status === "recovering").length,
  }
}
