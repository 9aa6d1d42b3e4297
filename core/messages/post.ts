import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { type MessageId, messageIdSchema, type SessionId, sessionIdSchema } from "../kernel/ids.ts"
import { codePoints } from "../kernel/text-schema.ts"
import { accepted } from "../sessions/rules.ts"
import type { Tx } from "../store.ts"
import { boardKeys, createMasker, readActiveBoard } from "./board.ts"
import {
  keyField,
  priorityField,
  redactionsMember,
  sessionField,
  tagsField,
  textField,
  writingTool,
} from "./definition.ts"
import type { BoardKeys } from "./keys.ts"
import type { Board, Delivery, Message } from "./record.ts"
import { MESSAGE_KINDS } from "./record.ts"
import { evict, readRoom } from "./room.ts"
import { boardFull, decideDelivery, decideReply, decideRoom, type ReplyTarget, unreadable } from "./rules.ts"
import { signalBoard } from "./signal.ts"
import { boardKey, boardTags, boardText } from "./texts.ts"

const inputSchema = z.strictObject({
  session_id: sessionField,
  kind: z.enum(MESSAGE_KINDS).describe("What it is. Open todo, question, risk and guidance stay until resolved."),
  message: textField("Text."),
  tags: tagsField,
  reply_to: messageIdSchema.describe("Message that it replies to.").optional(),
  priority: priorityField,
  requires_ack: z.boolean().default(false).describe("Show it with the Session's calls until it is resolved."),
  delivery_key: keyField("Makes a repeat return the first message.").optional(),
})
type Input = z.output<typeof inputSchema>

const outputSchema = z.object({
  session_id: sessionIdSchema.describe("Session of the board."),
  message_id: messageIdSchema.describe("The message."),
  created_at: z.number().int().describe("When it was posted, ms since 1970."),
  requires_ack: z.boolean().describe("Whether it is shown until it is resolved."),
  replayed: z.boolean().describe("An earlier call with this delivery_key posted it."),
  state_changed: z.boolean().describe("This call posted it."),
  redactions: redactionsMember,
})
type Output = z.infer<typeof outputSchema>

/** A message that may be posted, its texts masked, without what its board decides. */
interface Draft extends Omit<Message, "pos" | "revision" | "messageId" | "createdAt" | "delivery"> {
  readonly delivery: Delivery | undefined
  readonly masks: number
}

function draftOf(call: Pick<Call, "ports" | "recorder">, input: Input, keys: BoardKeys): Draft {
  const message = boardText("message", input.message)
  const tags = boardTags(input.tags ?? [])
  const { kind, priority, requires_ack: requiresAck, reply_to: replyTo, delivery_key: key } = input
  const author = call.recorder
  const content = { message, tags, kind, priority, requires_ack: requiresAck, reply_to: replyTo, author }
  const delivery =
    key === undefined
      ? undefined
      : {
          keyHash: keys.deliveryHash(boardKey("delivery_key", key)),
          contentHash: keys.contentHash("post", content),
        }
  const masker = createMasker(call)
  return {
    sessionId: input.session_id,
    kind,
    status: "open",
    priority,
    message: masker.mask(message),
    tags: tags.map((tag) => masker.mask(tag)),
    ...(replyTo === undefined ? {} : { replyTo }),
    requiresAck,
    ...(author === undefined ? {} : { authorSessionId: author }),
    delivery,
    masks: masker.count,
  }
}

async function post(tx: Tx, call: Pick<Call, "ports" | "now">, draft: Draft): Promise<Output> {
  const { delivery, masks, ...fields } = draft
  const { sessionId, replyTo } = fields
  const before = await readActiveBoard(tx, sessionId)
  const first = delivery && (await delivered(tx, sessionId, delivery))
  if (first !== undefined) return outputOf(first, { replayed: true, masks: 0 })
  if (replyTo !== undefined) accepted(decideReply(await replyTarget(tx, sessionId, replyTo)))
  const board = await makeRoom(tx, sessionId, before)
  const message: Message = {
    ...fields,
    messageId: call.ports.ids.message(),
    createdAt: call.now(),
    pos: board.lastPos + 1,
    revision: board.revision + 1,
    ...(delivery === undefined ? {} : { delivery }),
  }
  await tx.messages.insert(message)
  await tx.messages.move(sessionId, { ...board, revision: message.revision, lastPos: message.pos }, message.createdAt)
  return outputOf(message, { replayed: false, masks })
}

/** The message that an earlier call with this key posted. @throws ToolError `idempotency_conflict` */
async function delivered(tx: Tx, sessionId: SessionId, delivery: Delivery): Promise<Message | undefined> {
  const earlier = await tx.messages.byDeliveryKey(sessionId, delivery.keyHash)
  if (earlier === undefined) return undefined
  if (!earlier.readable) throw unreadable(earlier.message.messageId)
  accepted(decideDelivery(earlier.message, delivery.contentHash))
  return earlier.message
}

async function replyTarget(tx: Tx, sessionId: SessionId, messageId: MessageId): Promise<ReplyTarget | undefined> {
  const stored = await tx.messages.byId(sessionId, messageId)
  if (stored === undefined) return undefined
  const isOpenTodo = stored.message.kind === "todo" && stored.message.status === "open"
  return { isOpenTodo, replies: isOpenTodo ? await tx.messages.replyCount(sessionId, messageId) : 0 }
}

async function makeRoom(tx: Tx, sessionId: SessionId, board: Board): Promise<Board> {
  const room = await readRoom(tx, sessionId, board)
  const decided = decideRoom(board, room)
  if (decided === undefined) throw boardFull(room.retained, await tx.messages.open(sessionId))
  await evict(tx, sessionId, decided.evicted)
  return decided.board
}

function outputOf(message: Message, how: { readonly replayed: boolean; readonly masks: number }): Output {
  return {
    session_id: message.sessionId,
    message_id: message.messageId,
    created_at: message.createdAt,
    requires_ack: message.requiresAck,
    replayed: how.replayed,
    state_changed: !how.replayed,
    ...(how.masks === 0 ? {} : { redactions: how.masks }),
  }
}

/** `post_session_message` (spec messages.md §4). */
export const postSessionMessage = defineTool({
  ...writingTool,
  name: "post_session_message",
  title: "Post to a Session's board",
  description:
    "Posts a message to a Session's board, where whoever works in the Session reads it. With requires_ack it is shown with calls until resolved. A correction is a new message.",
  input: inputSchema,
  output: outputSchema,
  idempotency: { key: "delivery_key" },
  surfaces: ["coding"],
  record: {
    input: (input) => ({
      kind: input.kind,
      priority: input.priority,
      message_chars: codePoints(input.message),
      tag_count: input.tags?.length ?? 0,
      reply_to_present: input.reply_to !== undefined,
      requires_ack: input.requires_ack,
      delivery_key_present: input.delivery_key !== undefined,
    }),
    output: ({ message_id, replayed, redactions = 0 }) => ({ message_id, replayed, redactions }),
    evidence: (result) => ("output" in result ? { state_changed: result.output.state_changed } : {}),
  },
  reduce: [],
  verbatim: ["session_id", "message_id"],
  posts: (output) => (output.replayed ? undefined : output.message_id),
  async handler(input, call) {
    const draft = draftOf(call, input, await boardKeys(call, input.session_id))
    const output = await call.commit((tx) => post(tx, call, draft))
    if (output.state_changed) signalBoard(call, input.session_id)
    return output
  },
})
