import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { ToolError } from "../kernel/error.ts"
import { type MessageId, messageIdSchema, type SessionId, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Tx } from "../store.ts"
import { boardKeys } from "./board.ts"
import { messageField, readingTool, sessionField } from "./definition.ts"
import { assignmentViews, pageChars } from "./page.ts"
import type { Message, StoredMessage } from "./record.ts"
import { MAX_REPLIES, tooLarge, unknownMessage, unreadable } from "./rules.ts"
import { messageIdPaths, messageViewSchema } from "./view.ts"

/** A todo with its direct replies, oldest first: all of them while it is open. */
export interface Assignment {
  readonly todo: Message
  /** At most 17: one more than an open todo may have. */
  readonly replies: readonly Message[]
}

/** A fence in outputs. */
export const fenceMember = textSchema(48, 48)

/** Reads a todo and its direct replies. @throws ToolError `unknown_message_id`, `message_unreadable`, `session_message_not_todo` */
export async function readAssignment(tx: Tx, sessionId: SessionId, messageId: MessageId): Promise<Assignment> {
  const stored = await tx.messages.byId(sessionId, messageId)
  if (stored === undefined) throw unknownMessage("message_id")
  const todo = readable(stored)
  if (todo.kind !== "todo")
    throw new ToolError(
      "session_message_not_todo",
      "This message is no todo and has no assignment. Name a message of kind todo.",
    )
  return { todo, replies: (await tx.messages.replies(sessionId, messageId, MAX_REPLIES + 1)).map(readable) }
}

function readable(stored: StoredMessage): Message {
  if (stored.readable) return stored.message
  throw unreadable(stored.message.messageId)
}

async function requireOpen(tx: Tx, { todo, replies }: Assignment): Promise<void> {
  if (todo.status === "resolved") {
    const { resolvedAt = 0, completion } = todo
    throw new ToolError("message_not_open", "This todo is resolved. Look for another one, or read its answer.", {
      details: {
        resolved_at: resolvedAt,
        ...(completion === undefined ? {} : { answer_message_id: completion.answerId }),
      },
    })
  }
  if (replies.length > MAX_REPLIES) throw tooLarge(await tx.messages.replyCount(todo.sessionId, todo.messageId))
}

/** `get_session_assignment` (spec messages.md §7). */
export const getSessionAssignment = defineTool({
  ...readingTool,
  name: "get_session_assignment",
  title: "Read an assignment",
  description:
    "Returns an open todo, all its direct replies and the fence that complete_session_message asks for, in one snapshot. The fence covers the full texts, also of those that are cut here.",
  input: z.strictObject({ session_id: sessionField, message_id: messageField }),
  output: z.object({
    session_id: sessionIdSchema.describe("Session of the board."),
    message_id: messageIdSchema.describe("The todo."),
    todo: messageViewSchema.describe("The todo."),
    direct_replies: z.array(messageViewSchema).max(MAX_REPLIES).describe("Its direct replies, oldest first."),
    assignment_fence: fenceMember.describe("What was read; it goes stale when any of it changes."),
  }),
  deadline: "short",
  surfaces: [],
  record: {
    input: ({ message_id }) => ({ message_id }),
    output: ({ direct_replies }) => ({ reply_count: direct_replies.length }),
  },
  reduce: [
    { at: "direct_replies[].message", kind: "text", min: 80 },
    { at: "direct_replies[].resolution", kind: "text", min: 80 },
    { at: "todo.message", kind: "text", min: 240 },
    { at: "todo.resolution", kind: "text", min: 240 },
    { at: "todo.tags", kind: "list", min: 0 },
    { at: "direct_replies", kind: "list", min: 0 },
  ],
  verbatim: [
    "session_id",
    "message_id",
    "assignment_fence",
    ...messageIdPaths("todo"),
    ...messageIdPaths("direct_replies[]"),
  ],
  async handler({ session_id: sessionId, message_id: messageId }, call) {
    const keys = await boardKeys(call, sessionId)
    return await call.ports.store.read(async (tx) => {
      const assignment = await readAssignment(tx, sessionId, messageId)
      await requireOpen(tx, assignment)
      return {
        session_id: sessionId,
        message_id: messageId,
        ...assignmentViews(assignment, pageChars(call.budget)),
        assignment_fence: keys.fence(assignment.todo, assignment.replies),
      }
    })
  },
})
