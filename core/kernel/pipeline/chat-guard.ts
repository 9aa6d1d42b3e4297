import type { BoundChatSession } from "../chat-sessions.ts"
import { ToolError } from "../error.ts"
import type { KernelParts } from "./parts.ts"
import type { AddressedCall } from "./targets.ts"

/**
 * Step 4c: resolves the Chat Session that a call names and asks its folder guard about every path that the call declares.
 * @throws what the port throws, `guard_denied`.
 */
export async function bindChatSession(
  parts: KernelParts,
  { definition, caller, call }: AddressedCall,
): Promise<BoundChatSession | undefined> {
  const { chatSessionId } = call.wrapper
  if (chatSessionId === undefined) return undefined
  const bound = await parts.chatSessions.resolve(chatSessionId, caller)
  const touched = definition.touches?.(call.input)
  for (const path of touched?.reads ?? []) requireAllowed(bound, path, "read")
  for (const path of touched?.writes ?? []) requireAllowed(bound, path, "write")
  return bound
}

function requireAllowed(bound: BoundChatSession, path: string, access: "read" | "write"): void {
  if (bound.allows(path, access)) return
  throw new ToolError(
    "guard_denied",
    `The folder guard of the Chat Session does not allow to ${access} this path. Work in a folder that it allows.`,
    { details: { path }, executionState: "not_started" },
  )
}
