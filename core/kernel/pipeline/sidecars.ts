import type { SessionAttention } from "../../messages/attention.ts"
import { type AttentionCall, readAttention } from "../../messages/read-attention.ts"
import type { Board, MessageFacts, OpenCounts } from "../../messages/record.ts"
import { boardTopic } from "../../messages/signal.ts"
import type { Tx } from "../../store.ts"
import type { SessionId } from "../ids.ts"
import type { SessionRecord, ToolResult } from "../result.ts"
import { haveRoom } from "./filter.ts"
import type { Finished, OpenedCall } from "./finish.ts"
import type { KernelParts } from "./parts.ts"
import { buildResult, sidecarsOf } from "./reply.ts"
import { outlasts } from "./time-limit.ts"

/** Sidecars take at most this long together (spec kernel.md §4). */
const MAX_SIDECAR_MS = 50
/** A read that waits for nobody ends within so many turns of the microtask queue. */
const QUICK_TURNS = 80

/** What a board adds to a reply. */
interface BoardSidecars {
  readonly openCounts?: OpenCounts
  readonly attention?: SessionAttention
}

/** What the stage works on. */
interface Stage {
  readonly parts: KernelParts
  readonly opened: OpenedCall
  readonly finished: Finished
  readonly sessionId: SessionId
  /** Whether the time is over: what comes later is left out and marks nothing. */
  isLate(): boolean
}

/**
 * The stage after step 9 (spec kernel.md §4, messages.md §6): what the board of the call's Session wants to be seen. Late,
 * failed and oversized parts are left out and take their marks back; nothing here changes success or output.
 */
export async function withSidecars(parts: KernelParts, opened: OpenedCall, finished: Finished): Promise<ToolResult> {
  const { record } = finished
  const named = opened.plan.targets.recorder ?? opened.plan.targets.business
  if (record === undefined || named === undefined) return finished.result
  let late = false
  const stage: Stage = { parts, opened, finished, sessionId: named.sessionId, isLate: () => late }
  const made = lookAtBoard(stage).catch((error: unknown): BoardSidecars => {
    if (error !== LEFT_OUT)
      parts.telemetry.fault(error, { requestId: opened.plan.requestId, tool: opened.plan.tool.name })
    return {}
  })
  late = await outlasts(made, { clock: parts.clock, remainingMs: () => MAX_SIDECAR_MS, quickTurns: QUICK_TURNS })
  if (late) return finished.result
  const { openCounts, attention } = await made
  if (openCounts === undefined && attention === undefined) return finished.result
  const counted = withCounts(record, openCounts)
  return buildResult(parts, { plan: opened.plan, outcome: finished.outcome, record: counted, attention })
}

/** Why a transaction of this stage is rolled back although nothing failed. */
const LEFT_OUT: unique symbol = Symbol("left out")

function withCounts(record: SessionRecord, openCounts: OpenCounts | undefined): SessionRecord {
  return openCounts === undefined ? record : { ...record, open_counts: openCounts }
}

async function lookAtBoard(stage: Stage): Promise<BoardSidecars> {
  const { store, signals } = stage.parts
  const seen = await store.read((tx) => readSidecars(tx, stage))
  if (seen.toStamp.length === 0) return seen.sidecars
  const stamped = await store.write(async (tx) => {
    const again = await readSidecars(tx, stage)
    await stamp(tx, stage, again)
    if (stage.isLate() || !isShown(stage, again.sidecars)) throw LEFT_OUT
    return again.sidecars
  })
  signals.notify(boardTopic(stage.sessionId))
  return stamped
}

interface Seen {
  readonly board: Board | undefined
  readonly sidecars: BoardSidecars
  /** Acknowledged for the first time. */
  readonly toStamp: readonly MessageFacts[]
}

async function readSidecars(tx: Tx, stage: Stage): Promise<Seen> {
  const { sessionId } = stage
  const board = await tx.messages.board(sessionId)
  const attends = board?.lifecycle === "active" && hasAttention(stage.opened)
  if (board === undefined || (board.lastPos === 0 && !(attends && stage.opened.plan.acks.length > 0)))
    return { board, sidecars: {}, toStamp: [] }
  const { counts, ackRequired } = await tx.messages.open(sessionId)
  const openCounts = Object.values(counts).some((count) => count > 0) ? { openCounts: counts } : {}
  if (!attends || (ackRequired === 0 && stage.opened.plan.acks.length === 0))
    return { board, sidecars: openCounts, toStamp: [] }
  const { attention, toStamp } = await readAttention(tx, sessionId, attentionCall(stage))
  return { board, sidecars: { ...openCounts, ...(attention === undefined ? {} : { attention }) }, toStamp }
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

/** The first acknowledgement of each is observed, all in this transaction; the newest posted comes last. */
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

/** Whether the reply has room for the attention: what is left out marks nothing. */
function isShown({ opened, finished }: Stage, { openCounts, attention }: BoardSidecars): boolean {
  const record = finished.record && withCounts(finished.record, openCounts)
  return haveRoom(sidecarsOf(opened.plan, { record, attention }), opened.plan.replyLimit)
}
