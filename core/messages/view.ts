import { z } from "zod"
import { messageIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Message } from "./record.ts"
import { MESSAGE_KINDS, MESSAGE_PRIORITIES } from "./record.ts"
import { firstCharacters } from "./texts.ts"

/** A mask may lengthen a stored tag: each of its characters could be part of a secret with a long name. */
const MAX_TAG = 1000

const time = (what: string) => z.number().int().describe(`${what}, ms since 1970.`)

const many = (what: string) => z.number().int().min(0).describe(what)

/** What is open on a board and obliges somebody (spec messages.md §6). */
export const openCountsSchema = z.object({
  guidance: many("Open guidance."),
  question: many("Open questions."),
  todo: many("Open todos."),
  risk: many("Open risks."),
})

/** Open messages that require an acknowledgement. */
export const ackRequiredMember = many("Open messages that are shown until they are resolved.")

/** A message as outputs show it (spec messages.md §1): everything but what is internal. */
export const messageViewSchema = z.object({
  message_id: messageIdSchema.describe("The message."),
  created_at: time("When it was posted"),
  kind: z.enum(MESSAGE_KINDS).describe("What it is."),
  status: z.enum(["open", "resolved"]).describe("Resolved is final."),
  priority: z.enum(MESSAGE_PRIORITIES).describe("Urgency."),
  message: z.string().describe("Text."),
  tags: z.array(textSchema(1, MAX_TAG)).max(16).describe("Tags."),
  reply_to: messageIdSchema.describe("Message that it replies to.").optional(),
  requires_ack: z.boolean().describe("It is shown with calls until it is resolved."),
  first_ack_observed_at: time("First acknowledgement").optional(),
  author_session_id: sessionIdSchema.describe("Session that recorded the call which posted it.").optional(),
  resolved_at: time("When it was resolved").optional(),
  resolution: z.string().describe("How it was resolved.").optional(),
  resolved_by_message_id: messageIdSchema.describe("Answer that completed it.").optional(),
  completion_id: textSchema(1, 64).describe("Intent that completed it.").optional(),
  message_truncated: z.literal(true).describe("Texts are cut here.").optional(),
})
/** A value of `messageViewSchema`. */
export type MessageView = z.infer<typeof messageViewSchema>

/** The whole message. Members are assigned one by one: spreading costs more than all the rest of a page. */
export function messageView(message: Message): MessageView {
  const { completion } = message
  const view: MessageView = {
    message_id: message.messageId,
    created_at: message.createdAt,
    kind: message.kind,
    status: message.status,
    priority: message.priority,
    message: message.message,
    tags: [...message.tags],
    requires_ack: message.requiresAck,
  }
  if (message.replyTo !== undefined) view.reply_to = message.replyTo
  if (message.firstAckObservedAt !== undefined) view.first_ack_observed_at = message.firstAckObservedAt
  if (message.authorSessionId !== undefined) view.author_session_id = message.authorSessionId
  if (message.resolvedAt !== undefined) view.resolved_at = message.resolvedAt
  if (message.resolution !== undefined) view.resolution = message.resolution
  if (completion !== undefined) {
    view.resolved_by_message_id = completion.answerId
    view.completion_id = completion.id
  }
  return view
}

/** The message with texts of at most `max` characters each. */
export function shortView(view: MessageView, max: number): MessageView {
  const message = firstCharacters(view.message, max)
  const resolution = view.resolution === undefined ? undefined : firstCharacters(view.resolution, max)
  if (message === view.message && resolution === view.resolution) return view
  return { ...view, message, ...(resolution === undefined ? {} : { resolution }), message_truncated: true }
}

/** Paths of the ids of messages at a place of an output, which no mask may touch (spec messages.md §4). */
export function messageIdPaths(at: string): readonly string[] {
  const members = ["message_id", "reply_to", "author_session_id", "resolved_by_message_id", "completion_id"]
  return members.map((member) => `${at}.${member}`)
}
