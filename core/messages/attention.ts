import { z } from "zod"
import { type MessageId, messageIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { urgentFirst } from "./order.ts"
import type { Message, MessageFacts } from "./record.ts"
import { MESSAGE_KINDS, MESSAGE_PRIORITIES } from "./record.ts"
import { firstBytes, firstCharacters } from "./texts.ts"

const MAX_BODIES_BYTES = 3072
const MIN_CUT_BYTES = 160
const MAX_SHOWN = 3
/** Who cannot acknowledge must not be flooded (spec messages.md §6). */
const MAX_UNACKNOWLEDGEABLE = 240

const count = (what: string) => z.number().int().min(0).describe(what)

/** `session_attention` (spec messages.md §6): what a Session's board wants to be seen now. */
export const attentionSchema = z.object({
  session_id: sessionIdSchema.describe("Session of the board."),
  requires_ack: z.boolean().describe("Messages wait to be seen."),
  messages: z
    .array(
      z.object({
        message_id: messageIdSchema.describe("The message."),
        kind: z.enum(MESSAGE_KINDS).describe("What it is."),
        priority: z.enum(MESSAGE_PRIORITIES).describe("Urgency."),
        created_at: z.number().int().describe("When it was posted, ms since 1970."),
        message: z.string().describe("Text."),
        message_truncated: z.boolean().describe("The text is cut here."),
      }),
    )
    .max(MAX_SHOWN)
    .describe("The most urgent, the oldest first."),
  omitted_count: count("Messages that are not listed."),
  truncated: z.boolean().describe("Something is cut or not listed."),
  ack: z
    .object({ accepted_count: count("Ids that named such a message."), ignored_count: count("Ids that did not.") })
    .describe("What became of ack_session_message_ids."),
})
/** A value of `attentionSchema`. */
export type SessionAttention = z.infer<typeof attentionSchema>

/** The given ids that name an open message of the board which requires an acknowledgement. */
export function acceptedAcks(open: readonly MessageFacts[], ids: readonly MessageId[]): readonly MessageFacts[] {
  return open.filter((message) => ids.includes(message.messageId))
}

/** Which open messages want to be seen: urgent first, then oldest, without those in `except`. */
export function attentionCandidates(open: readonly MessageFacts[], except: readonly string[]): readonly MessageFacts[] {
  return open.filter((message) => !except.includes(message.messageId)).sort(urgentFirst)
}

/** The candidates whose texts may have room. */
export function toShow(candidates: readonly MessageFacts[]): readonly MessageId[] {
  return candidates.slice(0, MAX_SHOWN).map((message) => message.messageId)
}

/** How a door shows texts. */
export interface AttentionDoor {
  /** Whether the door offers `ack_session_message_ids`. */
  readonly acknowledges: boolean
  /** Masks secrets. */
  redact(text: string): string
}

type Shown = SessionAttention["messages"][number]

/** Texts of together ≤ 3,072 bytes: whole, or cut where at least 160 bytes are left, and then the list ends. */
export function attentionMessages(messages: readonly Message[], door: AttentionDoor): readonly Shown[] {
  const shown: Shown[] = []
  let left = MAX_BODIES_BYTES
  for (const message of messages.slice(0, MAX_SHOWN)) {
    const whole = door.redact(message.message)
    const body = door.acknowledges ? whole : firstCharacters(whole, MAX_UNACKNOWLEDGEABLE)
    const bytes = Buffer.byteLength(body)
    if (bytes > left && left < MIN_CUT_BYTES) return shown
    const text = bytes <= left ? body : firstBytes(body, left)
    shown.push(shownMessage(message, text, text !== whole))
    if (bytes > left) return shown
    left -= bytes
  }
  return shown
}

function shownMessage(message: Message, text: string, truncated: boolean): Shown {
  const { messageId, kind, priority, createdAt } = message
  return { message_id: messageId, kind, priority, created_at: createdAt, message: text, message_truncated: truncated }
}

/** The projection of a board's attention. `candidates`: how many there are; `shown`: those that are listed. */
export function attentionOf(
  sessionId: SessionAttention["session_id"],
  seen: { readonly candidates: number; readonly shown: readonly Shown[] },
  ack: SessionAttention["ack"],
): SessionAttention {
  const omitted = seen.candidates - seen.shown.length
  return {
    session_id: sessionId,
    requires_ack: seen.candidates > 0,
    messages: [...seen.shown],
    omitted_count: omitted,
    truncated: omitted > 0 || seen.shown.some((message) => message.message_truncated),
    ack,
  }
}
