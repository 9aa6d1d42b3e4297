import type { CallPorts } from "../call.ts"
import type { ChatSessions } from "../chat-sessions.ts"
import type { Registry } from "../registry.ts"
import type { Telemetry } from "../telemetry.ts"

/** Everything a kernel is made of (spec kernel.md): the ports of calls, not narrowed yet, and what only the kernel uses. */
export interface KernelParts extends CallPorts {
  readonly registry: Registry
  readonly chatSessions: ChatSessions
  readonly telemetry: Telemetry
}
