import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { type MessageId, messageIdSchema, type SessionId, sessionIdSchema } from "../kernel/ids.ts"
import { codePoints } from "../kernel/text-schema.ts"
import { accepted } from "../sessions/rules.ts"
import type { Tx } from "../store.ts"
import { createMasker, readActiveBoard } from "./board.ts"
import { messageField, redactionsMember, sessionField, textField, writingTool } from "./definition.ts"
import { decideResolve, unknownMessage } from "./rules.ts"
import { signalBoard } from "./signal.ts"
import { boardText } from "./texts.ts"

const outputSchema = z.object({
  session_id: sessionIdSchema.describe("Session of the board."),
  message_id: messageIdSchema.describe("The message."),
  status: z.literal("resolved").describe("Resolved is final."),
  changed: z.boolean().describe("This call changed it."),
  already_resolved: z.boolean().describe("It was resolved before this call."),
  resolved_at: z.number().int().describe("When it was resolved, ms since 1970."),
  redactions: redactionsMember,
})
type Output = z.infer<typeof outputSchema>

interface Resolving {
  readonly sessionId: SessionId
  readonly messageId: MessageId
  /** Masked. */
  readonly resolution?: string
  readonly masks: number
}

async function resolve(tx: Tx, call: Pick<Call, "now">, wanted: Resolving): Promise<Output> {
  const { sessionId, messageId, resolution } = wanted
  const board = await readActiveBoard(tx, sessionId)
  const stored = await tx.messages.byId(sessionId, messageId)
  if (stored === undefined) throw unknownMessage("message_id")
  const text = resolution === undefined ? {} : { resolution }
  const at = call.now()
  const { changed, alreadyResolved, resolvedAt } = accepted(decideResolve(stored.message, { ...text, at }))
  if (changed) {
    const revision = board.revision + 1
    await tx.messages.settle(sessionId, stored.message.pos, { revision, resolvedAt, ...text })
    await tx.messages.move(sessionId, { ...board, revision }, at)
  }
  return {
    session_id: sessionId,
    message_id: messageId,
    status: "resolved",
    changed,
    already_resolved: alreadyResolved,
    resolved_at: resolvedAt,
    ...(changed && wanted.masks > 0 ? { redactions: wanted.masks } : {}),
  }
}

/** `resolve_session_message` (spec messages.md §4). */
export const resolveSessionMessage = defineTool({
  ...writingTool,
  name: "resolve_session_message",
  title: "Resolve a message",
  description:
    "Resolves a message of a Session's board for good, a todo without an answer too. A repeat changes nothing; another resolution text replaces the first.",
  input: z.strictObject({
    session_id: sessionField,
    message_id: messageField,
    resolution: textField("How it was resolved.").optional(),
  }),
  output: outputSchema,
  idempotency: "natural",
  surfaces: [],
  record: {
    input: ({ message_id, resolution = "" }) => ({ message_id, resolution_chars: codePoints(resolution) }),
    output: ({ changed, redactions = 0 }) => ({ changed, redactions }),
    evidence: (result) => ("output" in result ? { state_changed: result.output.changed } : {}),
  },
  reduce: [],
  verbatim: ["session_id", "message_id"],
  async handler(input, call) {
    const { session_id: sessionId, message_id: messageId, resolution } = input
    const masker = createMasker(call)
    const text = resolution === undefined ? {} : { resolution: masker.mask(boardText("resolution", resolution)) }
    const wanted = { sessionId, messageId, ...text, masks: masker.count }
    const output = await call.commit((tx) => resolve(tx, call, wanted))
    if (output.changed) signalBoard(call, sessionId)
    return output
  },
})
