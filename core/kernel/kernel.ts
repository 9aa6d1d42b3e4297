import type { Caller } from "../access/principal.ts"
import type { Door } from "../ledger/events.ts"
import type { ToolResult } from "./result.ts"

/** Arguments that a door took off before the tool sees its own (spec kernel.md §3), unparsed. */
export type WrapperFields = Readonly<Record<string, unknown>>

/** One call of one tool through any door (spec kernel.md §4). */
export interface CallRequest {
  /** Published name on this door; a gateway's name is unwrapped by the kernel. */
  readonly tool: string
  /** The tool's own fields, unparsed; the kernel alone parses. */
  readonly input: unknown
  readonly caller: Caller
  readonly door: Exclude<Door, "system">
  readonly wrapper?: WrapperFields
  /** MCP endpoints accept only this surface's published names; absent = every tool (spec kernel.md §4 step 2a). */
  readonly surface?: "coding" | "shell" | "workflow" | "full"
  /** Whether the door offers `ack_session_message_ids` (spec doors.md §1.4); absent = it does not. */
  readonly acknowledges?: boolean
  readonly request: {
    readonly id: string
    /** The caller's call key (spec doors.md §2.5). */
    readonly key?: string
    /** Time for the whole call, ms; absent = no deadline (embedded). */
    readonly deadlineMs?: number
    /** Monotonic clock when the door had read the request; absent = now. */
    readonly receivedAt?: number
    /** UTF-16 units of the serialised reply; absent = the configured default. */
    readonly replyLimit?: number
  }
  /** Aborts with an `AbortReason`. */
  readonly signal?: AbortSignal
  /** Called ≤ once a second when the host asked for progress. */
  readonly onProgress?: (progress: { readonly fraction?: number; readonly text: string }) => void
}

/** A ToolResult with what a door needs to render it: status, and whether it was replayed by a call key. */
export interface CallAnswer {
  readonly result: ToolResult
  /** 200 once the handler was entered, else the kind's own status (spec kernel.md §6). */
  readonly httpStatus: number
  readonly replayed: boolean
}

/** The one pipeline behind every door (spec kernel.md §4, design §5). Stateless between calls. */
export interface Kernel {
  call(request: CallRequest): Promise<CallAnswer>
  /** Cancels a call of this process by its key; `false` when none of that principal is in flight (doors.md §2.6). */
  cancel(caller: Caller, key: string): boolean
  /** Refuses new calls, signals `shutdown`, waits ≤ 10 s for calls in flight. */
  drain(): Promise<void>
}
