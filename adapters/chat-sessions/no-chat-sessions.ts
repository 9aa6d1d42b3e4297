import type { ChatSessions } from "../../core/kernel/chat-sessions.ts"
import { ToolError } from "../../core/kernel/error.ts"

/** The port of a server on which no Chat Session can be opened: every id is unknown (spec bindings.md §1, §2). */
export function createNoChatSessions(): ChatSessions {
  return {
    async resolve() {
      throw new ToolError(
        "chat_session_unknown",
        "There is no Chat Session with this id for this caller. Leave chat_session_id out.",
      )
    },
  }
}
