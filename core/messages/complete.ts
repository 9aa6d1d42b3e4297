import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { isToolError, ToolError } from "../kernel/error.ts"
import { messageIdSchema, type SessionId, sessionIdSchema } from "../kernel/ids.ts"
import { codePoints, textSchema } from "../kernel/text-schema.ts"
import { accepted } from "../sessions/rules.ts"
import type { Tx } from "../store.ts"
import { type Assignment, fenceMember, readAssignment } from "./assignment.ts"
import { boardKeys, createMasker, readActiveBoard } from "./board.ts"
import {
  keyField,
  messageField,
  priorityField,
  redactionsMember,
  sessionField,
  tagsField,
  textField,
  writingTool,
} from "./definition.ts"
import { type BoardKeys, isFence } from "./keys.ts"
import { assignmentViews, pageChars } from "./page.ts"
import type { Board, Message } from "./record.ts"
import { makeRoomForAnswer } from "./room.ts"
import { decideComplete, MAX_REPLIES } from "./rules.ts"
import { signalBoard } from "./signal.ts"
import { boardKey, boardTags, boardText } from "./texts.ts"
import { messageIdPaths, messageViewSchema } from "./view.ts"

const inputSchema = z.strictObject({
  session_id: sessionField,
  message_id: messageField,
  answer: textField("What was done; becomes a message of kind answer."),
  completion_key: keyField("Names this intent: a repeat with equal content returns the first answer."),
  expected_assignment_fence: textSchema(1, 64).describe(
    "assignment_fence of get_session_assignment, which call_read_tool runs where it is not listed.",
  ),
  tags: tagsField,
  priority: priorityField,
})
type Input = z.output<typeof inputSchema>

const outputSchema = z.object({
  session_id: sessionIdSchema.describe("Session of the board."),
  message_id: messageIdSchema.describe("The todo."),
  state_changed: z.boolean().describe("This call completed it."),
  answer_message_id: messageIdSchema.describe("The answer.").optional(),
  completion_id: textSchema(64, 64).describe("The intent, by key.").optional(),
  replayed: z.boolean().describe("An earlier call completed it with the same key and content.").optional(),
  redactions: redactionsMember,
  current_assignment: z
    .object({
      todo: messageViewSchema.describe("The todo."),
      direct_replies: z.array(messageViewSchema).max(MAX_REPLIES).describe("Its direct replies, oldest first."),
      direct_replies_truncated: z.literal(true).describe("There are more.").optional(),
    })
    .describe("What it is now; beside assignment_stale only.")
    .optional(),
  fresh_assignment_fence: fenceMember.describe("Its fence now, while the todo is open.").optional(),
})
type Output = z.infer<typeof outputSchema>

/** A completion whose texts are valid; what the board decides is still open. */
interface Intent {
  readonly input: Input
  readonly keys: BoardKeys
  readonly completionId: string
  readonly completionHash: string
  /** Of the answer, masked. */
  readonly answer: Pick<Message, "message" | "tags" | "priority" | "authorSessionId">
  readonly masks: number
}

function intentOf(call: Pick<Call, "ports" | "recorder">, input: Input, keys: BoardKeys): Intent {
  const text = boardText("answer", input.answer)
  const rawTags = boardTags(input.tags ?? [])
  const key = boardKey("completion_key", input.completion_key)
  const author = call.recorder
  const { priority, expected_assignment_fence: fence } = input
  const masker = createMasker(call)
  const message = masker.mask(text)
  const tags = rawTags.map((tag) => masker.mask(tag))
  return {
    input,
    keys,
    completionId: keys.completionId(input.message_id, key),
    completionHash: keys.contentHash("completion", { answer: text, tags: rawTags, priority, fence, author }),
    answer: { message, tags, priority, ...(author === undefined ? {} : { authorSessionId: author }) },
    masks: masker.count,
  }
}

/** All checks and the whole change in the caller's transaction, first failure answers (spec messages.md §7). */
async function complete(tx: Tx, call: Call<Output>, intent: Intent): Promise<Output> {
  const { input, keys, completionId, completionHash } = intent
  const { session_id: sessionId, message_id: messageId, expected_assignment_fence: expectedFence } = input
  const board = await readActiveBoard(tx, sessionId)
  const assignment = await readAssignment(tx, sessionId, messageId)
  if (!isFence(expectedFence)) throw invalidFence()
  const fence = keys.fence(assignment.todo, assignment.replies)
  const decided = accepted(decideComplete(assignment.todo, fence, { completionId, completionHash, expectedFence }))
  if (decided.kind === "stale") throw await stale(tx, call, { assignment, fence, reason: decided.reason })
  const base = { session_id: sessionId, message_id: messageId, completion_id: completionId }
  if (decided.kind === "replay")
    return { ...base, state_changed: false, answer_message_id: decided.answerId, replayed: true }
  const answer = await commitAnswer(tx, call, { intent, board, todo: assignment.todo })
  return {
    ...base,
    state_changed: true,
    answer_message_id: answer.messageId,
    replayed: false,
    ...(intent.masks === 0 ? {} : { redactions: intent.masks }),
  }
}

/** The todo resolved at r + 1, then its answer posted at r + 2; room is made for it where there is something to evict. */
async function commitAnswer(
  tx: Tx,
  call: Pick<Call, "ports" | "now">,
  { intent, board: before, todo }: { readonly intent: Intent; readonly board: Board; readonly todo: Message },
): Promise<Message> {
  const { sessionId } = todo
  const { completionId: id, completionHash: hash } = intent
  const board = await makeRoomForAnswer(tx, sessionId, before)
  const at = call.now()
  const answer: Message = {
    ...intent.answer,
    sessionId,
    messageId: call.ports.ids.message(),
    pos: board.lastPos + 1,
    revision: board.revision + 2,
    createdAt: at,
    kind: "answer",
    status: "open",
    replyTo: todo.messageId,
    requiresAck: false,
  }
  const completion = { answerId: answer.messageId, id, hash }
  await tx.messages.settle(sessionId, todo.pos, { revision: board.revision + 1, resolvedAt: at, completion })
  await tx.messages.insert(answer)
  await tx.messages.move(sessionId, { ...board, revision: answer.revision, lastPos: answer.pos }, at)
  return answer
}

function invalidFence(): ToolError<"invalid_assignment_fence"> {
  return new ToolError(
    "invalid_assignment_fence",
    "expected_assignment_fence has not the form of a fence. Send the assignment_fence of get_session_assignment whole.",
  )
}

/** Nothing was committed: what the assignment is now, and its fence while it can still be completed. */
async function stale(
  tx: Tx,
  call: Pick<Call, "budget">,
  { assignment, fence, reason }: { assignment: Assignment; fence: string; reason: "changed" | "resolved" },
): Promise<ToolError<"assignment_stale">> {
  const { todo, replies } = assignment
  const isMore = replies.length > MAX_REPLIES
  const count = isMore ? await tx.messages.replyCount(todo.sessionId, todo.messageId) : replies.length
  const shown = { todo, replies: replies.slice(0, MAX_REPLIES) }
  const output: Output = {
    session_id: todo.sessionId,
    message_id: todo.messageId,
    state_changed: false,
    current_assignment: {
      ...assignmentViews(shown, pageChars(call.budget)),
      ...(isMore ? { direct_replies_truncated: true } : {}),
    },
    ...(todo.status === "open" ? { fresh_assignment_fence: fence } : {}),
  }
  const sentence =
    reason === "changed"
      ? "The assignment has changed since this fence was taken; nothing was stored. Read what it is now, then decide with the fresh fence."
      : "The todo was resolved without an answer; nothing was stored. Read what it is now."
  return new ToolError("assignment_stale", sentence, { details: { reason, reply_count: count }, output })
}

/** A commit of which nobody can say whether it happened: the identical call either replays it or does it. */
function uncertain(error: unknown): unknown {
  if (!isToolError(error) || error.kind !== "outcome_unknown") return error
  return new ToolError(
    "completion_persistence_uncertain",
    "The store was lost while this completion was committed. Send the identical call again: it repeats the answer or completes the todo.",
    { executionState: "outcome_unknown", cause: error },
  )
}

async function commit(call: Call<Output>, sessionId: SessionId, intent: Intent): Promise<Output> {
  try {
    const output = await call.commit((tx) => complete(tx, call, intent))
    if (output.state_changed) signalBoard(call, sessionId)
    return output
  } catch (error) {
    throw uncertain(error)
  }
}

/** `complete_session_message` (spec messages.md §7). */
export const completeSessionMessage = defineTool({
  ...writingTool,
  name: "complete_session_message",
  title: "Complete a todo",
  description:
    "Completes a todo with an answer, if the todo and its direct replies still are what the fence was taken from; else nothing is stored and the reply shows what they are now.",
  input: inputSchema,
  output: outputSchema,
  idempotency: { key: "completion_key" },
  surfaces: ["coding"],
  record: {
    input: (input) => ({
      message_id: input.message_id,
      priority: input.priority,
      answer_chars: codePoints(input.answer),
      tag_count: input.tags?.length ?? 0,
    }),
    output: ({ answer_message_id = "", replayed = false, redactions = 0 }) => ({
      answer_message_id,
      replayed,
      redactions,
    }),
    evidence: (result) => ("output" in result ? { state_changed: result.output.state_changed } : {}),
  },
  reduce: [
    { at: "current_assignment.direct_replies[].message", kind: "text", min: 80 },
    { at: "current_assignment.direct_replies[].resolution", kind: "text", min: 80 },
    { at: "current_assignment.todo.message", kind: "text", min: 240 },
    { at: "current_assignment.todo.resolution", kind: "text", min: 240 },
    { at: "current_assignment.todo.tags", kind: "list", min: 0 },
    { at: "current_assignment.direct_replies", kind: "list", min: 0 },
  ],
  verbatim: [
    "session_id",
    "message_id",
    "answer_message_id",
    "completion_id",
    "fresh_assignment_fence",
    ...messageIdPaths("current_assignment.todo"),
    ...messageIdPaths("current_assignment.direct_replies[]"),
  ],
  async handler(input, call) {
    return await commit(call, input.session_id, intentOf(call, input, await boardKeys(call, input.session_id)))
  },
})
