import type { Caller } from "../access/principal.ts"

/** Form of a Chat Session's id, chosen by its client (spec bindings.md §1). */
export const chatSessionIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** What a call does to paths, for the folder guard (spec kernel.md §1 `touches`). */
export interface Touches {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** A Chat Session bound to one call (spec bindings.md): its folder guard answers for declared and, at use, resolved paths. */
export interface BoundChatSession {
  readonly allows: (path: string, access: "read" | "write") => boolean
}

/** Resolves a `chat_session_id` for pipeline step 4c; throws the kind that refuses the call. */
export interface ChatSessions {
  resolve(chatSessionId: string, caller: Caller): Promise<BoundChatSession>
}
