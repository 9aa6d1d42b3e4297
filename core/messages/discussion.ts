import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { messageIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { readBoard } from "./board.ts"
import { readingTool, sessionField } from "./definition.ts"
import { readableOf, unreadableMember } from "./list.ts"
import { urgentFirst } from "./order.ts"
import { excerptOf } from "./page.ts"
import type { Board, Message, MessageKind } from "./record.ts"
import { MESSAGE_PRIORITIES } from "./record.ts"

const MAX_ITEMS = 20
const count = (what: string) => z.number().int().min(0).describe(what)

const itemShape = {
  message_id: messageIdSchema.describe("The message."),
  created_at: z.number().int().describe("When it was posted, ms since 1970."),
  priority: z.enum(MESSAGE_PRIORITIES).describe("Urgency."),
  status: z.enum(["open", "resolved"]).describe("Resolved is final."),
  requires_ack: z.boolean().describe("It is shown with calls until it is resolved."),
  reply_to: messageIdSchema.describe("Message that it replies to.").optional(),
  author_session_id: sessionIdSchema.describe("Session that recorded the call which posted it.").optional(),
  excerpt: textSchema(1, 240).describe("Beginning of the text."),
  truncated: z.boolean().describe("The text is longer."),
}
const itemSchema = z.object(itemShape)
const completionSchema = z.object({
  ...itemShape,
  completed_message_id: messageIdSchema.describe("Todo that it completed."),
})
type Item = z.infer<typeof itemSchema>

const groupOf = <T extends z.ZodObject>(item: T, what: string) =>
  z
    .object({
      items: z.array(item).max(MAX_ITEMS).describe("The first of them."),
      total: count("How many there are."),
      truncated: z.boolean().describe("There are more than items."),
    })
    .describe(what)

const GROUPS = [
  "open_guidance",
  "open_questions",
  "open_risks",
  "open_todos",
  "high_priority_open_todos",
  "recent_answers",
  "recent_completions",
  "recent_progress",
  "recent_decisions",
] as const

const outputSchema = z.object({
  session_id: sessionIdSchema.describe("Session of the board."),
  lifecycle: z.enum(["active", "closed"]).describe("Of the Session."),
  counts: z
    .object({
      retained: count("Messages that the board holds."),
      open: count("Open ones."),
      resolved: count("Resolved ones."),
      ack_required_open: count("Open ones that require an acknowledgement."),
      by_kind: z
        .object({
          note: count("Notes."),
          proposal: count("Proposals."),
          question: count("Questions."),
          answer: count("Answers."),
          decision: count("Decisions."),
          risk: count("Risks."),
          progress: count("Progress."),
          guidance: count("Guidance."),
          todo: count("Todos."),
        })
        .describe("Retained messages by kind."),
    })
    .describe("Counts over the retained messages."),
  open_guidance: groupOf(itemSchema, "Urgent first, then oldest."),
  open_questions: groupOf(itemSchema, "Urgent first, then oldest."),
  open_risks: groupOf(itemSchema, "Urgent first, then oldest."),
  open_todos: groupOf(itemSchema, "Urgent first, then oldest."),
  high_priority_open_todos: groupOf(itemSchema, "Oldest first."),
  recent_answers: groupOf(itemSchema, "Newest first, whatever their state."),
  recent_completions: groupOf(completionSchema, "Answers that completed a todo, newest first."),
  recent_progress: groupOf(itemSchema, "Newest first, whatever their state."),
  recent_decisions: groupOf(itemSchema, "Newest first, whatever their state."),
  unreadable: unreadableMember,
})
type Output = z.infer<typeof outputSchema>

function itemOf(message: Message): Item {
  return {
    message_id: message.messageId,
    created_at: message.createdAt,
    priority: message.priority,
    status: message.status,
    requires_ack: message.requiresAck,
    ...(message.replyTo === undefined ? {} : { reply_to: message.replyTo }),
    ...(message.authorSessionId === undefined ? {} : { author_session_id: message.authorSessionId }),
    ...excerptOf(message.message),
  }
}

function group<T>(items: readonly T[], limit: number): { items: T[]; total: number; truncated: boolean } {
  return { items: items.slice(0, limit), total: items.length, truncated: items.length > limit }
}

/** What is open and what is new on a board; pure. `messages`: oldest first. */
export function discussionOf(
  messages: readonly Message[],
  limit: number,
): Omit<Output, "session_id" | "lifecycle" | "unreadable"> {
  const newest = [...messages].reverse()
  const isOpen = (message: Message): boolean => message.status === "open"
  const open = (kind: MessageKind): readonly Message[] =>
    messages.filter((message) => message.kind === kind && isOpen(message)).sort(urgentFirst)
  const recent = (kind: MessageKind): readonly Message[] => newest.filter((message) => message.kind === kind)
  const listed = (some: readonly Message[]) => group(some.map(itemOf), limit)
  const todoOf = new Map(
    messages.flatMap(({ completion, messageId }) => (completion ? [[completion.answerId, messageId]] : [])),
  )
  const completions = recent("answer").flatMap((answer) => {
    const todo = todoOf.get(answer.messageId)
    return todo === undefined ? [] : [{ ...itemOf(answer), completed_message_id: todo }]
  })
  const todos = open("todo")
  const ofKind = (kind: MessageKind): number => messages.filter((message) => message.kind === kind).length
  return {
    counts: {
      retained: messages.length,
      open: messages.filter(isOpen).length,
      resolved: messages.filter((message) => !isOpen(message)).length,
      ack_required_open: messages.filter((message) => isOpen(message) && message.requiresAck).length,
      by_kind: {
        note: ofKind("note"),
        proposal: ofKind("proposal"),
        question: ofKind("question"),
        answer: ofKind("answer"),
        decision: ofKind("decision"),
        risk: ofKind("risk"),
        progress: ofKind("progress"),
        guidance: ofKind("guidance"),
        todo: ofKind("todo"),
      },
    },
    open_guidance: listed(open("guidance")),
    open_questions: listed(open("question")),
    open_risks: listed(open("risk")),
    open_todos: listed(todos),
    high_priority_open_todos: listed(todos.filter((todo) => todo.priority === "high")),
    recent_answers: listed(recent("answer")),
    recent_completions: group(completions, limit),
    recent_progress: listed(recent("progress")),
    recent_decisions: listed(recent("decision")),
  }
}

/** `session_discussion_summary` (spec messages.md §4). */
export const sessionDiscussionSummary = defineTool({
  ...readingTool,
  name: "session_discussion_summary",
  title: "Summarise a board",
  description:
    "Summarises a Session's board: counts, open guidance, questions, risks and todos, and the newest answers, completions, progress and decisions, each as an excerpt.",
  input: z.strictObject({
    session_id: sessionField,
    limit: z.int().min(1).max(MAX_ITEMS).default(5).describe("Most items of a group."),
  }),
  output: outputSchema,
  deadline: "short",
  surfaces: [],
  record: {
    input: ({ limit }) => ({ limit }),
    output: ({ counts }) => ({ retained: counts.retained, open: counts.open }),
  },
  reduce: [...GROUPS].reverse().map((name) => ({ at: `${name}.items`, kind: "list", min: 0 }) as const),
  verbatim: [
    "session_id",
    ...GROUPS.flatMap((name) =>
      ["message_id", "reply_to", "author_session_id"].map((member) => `${name}.items[].${member}`),
    ),
    "recent_completions.items[].completed_message_id",
  ],
  handler: ({ session_id: sessionId, limit }, call) =>
    call.ports.store.read(async (tx) => {
      const { lifecycle }: Board = await readBoard(tx, sessionId)
      const { messages, unreadable } = readableOf(await tx.messages.all(sessionId))
      return {
        session_id: sessionId,
        lifecycle,
        ...discussionOf(messages, limit),
        ...(unreadable === 0 ? {} : { unreadable }),
      }
    }),
})
