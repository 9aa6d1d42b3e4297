import type { SessionAttention } from "../../messages/attention.ts"
import { type BoardGlance, glanceAt } from "../../messages/glance.ts"
import { type AttentionCall, readAttention, type SeenAttention } from "../../messages/read-attention.ts"
import type { Board } from "../../messages/record.ts"
import { boardTopic } from "../../messages/signal.ts"
import type { Tx } from "../../store.ts"
import type { SessionId } from "../ids.ts"
import type { SessionRecord, ToolResult } from "../result.ts"
import { haveRoom } from "./filter.ts"
import { type Finished, namedSession, type OpenedCall, withOpenCounts } from "./finish.ts"
import type { KernelParts } from "./parts.ts"
import { buildResult, sidecarsOf } from "./reply.ts"
import { outlasts } from "./time-limit.ts"

/** Sidecars take at most this long together (spec kernel.md §4). */
const MAX_SIDECAR_MS = 50
/** A read that waits for nobody ends within so many turns of the microtask queue. */
const QUICK_TURNS = 80

/** What the stage works on. */
interface Stage {
  readonly parts: KernelParts
  readonly opened: OpenedCall
  readonly finished: Finished
  readonly sessionId: SessionId
  /** Whether the time is over: what comes later is left out and marks nothing. */
  isLate(): boolean
}

/** What a board adds to a reply. */
interface BoardSidecars {
  /** With what is open on the board. */
  readonly record: SessionRecord | undefined
  readonly attention?: SessionAttention | undefined
}

/**
 * The stage after step 9 (spec kernel.md §4, messages.md §6): what the board of the call's Session wants to be seen. Late,
 * failed and oversized parts are left out and take their marks back; nothing here changes success or output.
 */
export async function withSidecars(parts: KernelParts, opened: OpenedCall, finished: Finished): Promise<ToolResult> {
  const { record, result, outcome } = finished
  const named = namedSession(opened.plan)
  if (record === undefined || named === undefined) return result
  let late = false
  const stage: Stage = { parts, opened, finished, sessionId: named.sessionId, isLate: () => late }
  const made = lookAtBoard(stage).catch((error: unknown): BoardSidecars => {
    parts.telemetry.fault(error, { requestId: opened.plan.requestId, tool: opened.plan.tool.name })
    return { record }
  })
  late = await outlasts(made, { clock: parts.clock, remainingMs: () => MAX_SIDECAR_MS, quickTurns: QUICK_TURNS })
  if (late) return result
  const sidecars = await made
  if (sidecars.record === record && sidecars.attention === undefined) return result
  return buildResult(parts, { plan: opened.plan, outcome, ...sidecars })
}

async function lookAtBoard(stage: Stage): Promise<BoardSidecars> {
  const { parts, finished } = stage
  const glance = finished.glance ?? (await parts.store.read((tx) => glanceAt(tx, stage.sessionId)))
  const record = finished.glance === undefined ? withOpenCounts(finished.record, glance) : finished.record
  if (glance === undefined || !mayAttend(stage, glance)) return { record }
  const { attention, toStamp } = await parts.store.read((tx) => readSeen(tx, stage))
  if (toStamp.length === 0) return { record, attention }
  return { record, attention: await acknowledge(stage, record) }
}

/** Why a transaction of this stage is rolled back although nothing failed. */
const LEFT_OUT: unique symbol = Symbol("left out")

/** Stamps what is acknowledged for the first time, unless the reply comes without the attention that says so. */
async function acknowledge(stage: Stage, record: SessionRecord | undefined): Promise<SessionAttention | undefined> {
  const { store, signals } = stage.parts
  const { plan } = stage.opened
  try {
    const attention = await store.write(async (tx) => {
      const seen = await readSeen(tx, stage)
      await stamp(tx, stage, seen)
      const isShown = haveRoom(sidecarsOf(plan, { record, attention: seen.attention }), plan.replyLimit)
      if (stage.isLate() || !isShown) throw LEFT_OUT
      return seen.attention
    })
    signals.notify(boardTopic(stage.sessionId))
    return attention
  } catch (error) {
    if (error === LEFT_OUT) return undefined
    throw error
  }
}

interface Seen extends SeenAttention {
  readonly board: Board | undefined
}

async function readSeen(tx: Tx, stage: Stage): Promise<Seen> {
  const board = await tx.messages.board(stage.sessionId)
  if (board?.lifecycle !== "active") return { board, attention: undefined, toStamp: [] }
  return { board, ...(await readAttention(tx, stage.sessionId, attentionCall(stage))) }
}

/** Whether there is anything to show or to acknowledge. */
function mayAttend({ opened }: Stage, { board, open }: BoardGlance): boolean {
  const isAsked = open.ackRequired > 0 || opened.plan.acks.length > 0
  return isAsked && board.lifecycle === "active" && hasAttention(opened)
}

/** The recorder's board, else that of the business Session which records this call (spec messages.md §6). */
function hasAttention({ plan, begun }: OpenedCall): boolean {
  return plan.targets.recorder !== undefined || begun.roles.some(({ role }) => role === "business")
}

function attentionCall({ parts, opened, finished }: Stage): AttentionCall {
  const { acks, acknowledges, tool } = opened.plan
  const redactor = parts.secrets.redactor()
  return {
    acks,
    acknowledges,
    posted: "output" in finished.outcome ? tool.definition.posts?.(finished.outcome.output) : undefined,
    redact: (text) => redactor.redactText(text).text,
  }
}

/** The first acknowledgement of each is observed, all in this transaction. */
async function stamp(tx: Tx, { parts, sessionId }: Stage, { board, toStamp }: Seen): Promise<void> {
  if (board === undefined || toStamp.length === 0) return
  const at = parts.clock.now()
  let { revision } = board
  for (const { pos } of toStamp) {
    revision += 1
    await tx.messages.acknowledge(sessionId, pos, { revision, at })
  }
  await tx.messages.move(sessionId, { ...board, revision }, at)
}
