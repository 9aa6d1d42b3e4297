import { getSessionAssignment } from "./assignment.ts"
import { completeSessionMessage } from "./complete.ts"
import { sessionDiscussionSummary } from "./discussion.ts"
import { listSessionMessages } from "./list.ts"
import { observeSessionMessages } from "./observe.ts"
import { postSessionMessage } from "./post.ts"
import { resolveSessionMessage } from "./resolve.ts"

/** The message board's tools (spec messages.md §4), in catalogue order. */
export const messageTools = [
  postSessionMessage,
  observeSessionMessages,
  resolveSessionMessage,
  listSessionMessages,
  getSessionAssignment,
  sessionDiscussionSummary,
  completeSessionMessage,
] as const
