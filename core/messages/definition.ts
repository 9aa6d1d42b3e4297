import { z } from "zod"
import { messageIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { MESSAGE_PRIORITIES } from "./record.ts"

const MAX_TEXT = 8000

/** What every tool of the board has in common (spec messages.md §4). */
const boardTool = {
  category: "message",
  destructive: false,
  openWorld: false,
  risk: "none",
  target: { project: "none", session: "required", chat: "none" },
  recordsBusiness: false,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
} as const

/** A tool that looks at a board. */
export const readingTool = {
  ...boardTool,
  effect: "observe",
  idempotency: "natural",
  scopes: ["runtime:read"],
} as const

/** A tool that changes a board. */
export const writingTool = {
  ...boardTool,
  effect: "mutate",
  mutates: "session",
  scopes: ["session:collaborate"],
  judgesUnicode: true,
  deadline: "short",
} as const

/** Fields that several of them take. */
export const sessionField = sessionIdSchema.describe("Session whose board it is.")
export const messageField = messageIdSchema.describe("The message.")
export const textField = (what: string) => textSchema(1, MAX_TEXT).describe(what)
export const tagsField = z
  .array(textSchema(0, 64).describe("One tag, one line."))
  .max(16)
  .describe("Tags; empty and repeated ones are dropped.")
  .optional()
export const priorityField = z.enum(MESSAGE_PRIORITIES).default("normal").describe("Urgency.")
export const keyField = (what: string) => textSchema(1, 128).describe(what)

/** Masks put into the stored texts. */
export const redactionsMember = z.number().int().min(1).describe("Secrets masked in the stored texts.").optional()
