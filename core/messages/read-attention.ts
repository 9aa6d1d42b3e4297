import type { MessageId, SessionId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import {
  type AttentionDoor,
  acceptedAcks,
  attentionCandidates,
  attentionMessages,
  attentionOf,
  type SessionAttention,
  toShow,
} from "./attention.ts"
import type { Message, MessageFacts } from "./record.ts"

/** What a call says and does about messages that want to be seen. */
export interface AttentionCall extends AttentionDoor {
  /** Ids that the caller says it still holds, each once. */
  readonly acks: readonly MessageId[]
  /** The message that this very call posted. */
  readonly posted?: string | undefined
}

/** What a board's attention is for one call, and which messages it acknowledged for the first time. */
export interface SeenAttention {
  /** Absent when nothing wants to be seen and nothing was acknowledged. */
  readonly attention: SessionAttention | undefined
  readonly toStamp: readonly MessageFacts[]
}

/** Reads the attention of a board in the caller's transaction (spec messages.md §6); stamps nothing. */
export async function readAttention(tx: Tx, sessionId: SessionId, call: AttentionCall): Promise<SeenAttention> {
  const { acks, posted } = call
  const open = await tx.messages.ackRequired(sessionId)
  const accepted = acceptedAcks(open, acks)
  const except = [...accepted.map(({ messageId }) => messageId), ...(posted === undefined ? [] : [posted])]
  const candidates = attentionCandidates(open, except)
  if (candidates.length === 0 && acks.length === 0) return { attention: undefined, toStamp: [] }
  const shown = attentionMessages(await bodies(tx, sessionId, toShow(candidates)), call)
  const ack = { accepted_count: accepted.length, ignored_count: acks.length - accepted.length }
  return {
    attention: attentionOf(sessionId, { candidates: candidates.length, shown }, ack),
    toStamp: accepted.filter(({ acknowledged }) => !acknowledged),
  }
}

async function bodies(tx: Tx, sessionId: SessionId, ids: readonly MessageId[]): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (const id of ids) {
    const stored = await tx.messages.byId(sessionId, id)
    if (stored?.readable === true) messages.push(stored.message)
  }
  return messages
}
