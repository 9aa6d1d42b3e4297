import type { ExecutionState, Recovery } from "./error.ts"
import type { components, paths } from "./generated/schema.ts"

type Gateway = "call_tool" | "call_read_tool"
type WrapperField = "recording_session_id" | "chat_session_id" | "ack_session_message_ids" | "context_request"
type PathTool<Path> = Path extends `/tools/${infer Name}` ? Exclude<Name, Gateway> : never

/** Wire name of every tool of the full document; also the name of its method. */
export type ToolName = PathTool<keyof paths>

type Operation<Name extends ToolName> = paths[`/tools/${Name}` & keyof paths] extends { post: infer Post }
  ? Post
  : never
type Body<Post> = Post extends { requestBody?: { content: { "application/json": infer Input } } } ? Input : never
type Reply<Post> = Post extends { responses: { 200: { content: { "application/json": infer Answer } } } }
  ? Answer
  : never

type Own<Input> = keyof Input extends WrapperField ? Record<string, never> : Omit<Input, WrapperField>

/** The arguments of a tool; wrapper fields are call options instead (spec doors.md §1.4). */
export type ToolInput<Name extends ToolName> = Own<Body<Operation<Name>>>

/** The success output of a tool. */
export type ToolOutput<Name extends ToolName> =
  Extract<Reply<Operation<Name>>, { success: true }> extends { output: infer Output } ? Output : never

/** The closed kinds of the document; a kind unknown to this build still arrives as a string. */
export type ErrorKind = components["schemas"]["ErrorKind"]

/** Sidecars of a call, beside its output (spec kernel.md §4). */
export interface Attached {
  readonly session_record?: {
    readonly session_id: string
    readonly recorded: boolean
    readonly event_id?: string
    readonly reason?: string
    /** What is open on the Session's board, when anything is. */
    readonly open_counts?: {
      readonly guidance: number
      readonly question: number
      readonly todo: number
      readonly risk: number
    }
  }
  /** Messages of the Session's board that want to be seen (spec messages.md §6). */
  readonly session_attention?: {
    readonly session_id: string
    readonly requires_ack: boolean
    readonly messages: readonly {
      readonly message_id: string
      readonly kind: string
      readonly priority: string
      readonly created_at: number
      readonly message: string
      readonly message_truncated: boolean
    }[]
    readonly omitted_count: number
    readonly truncated: boolean
    readonly ack: { readonly accepted_count: number; readonly ignored_count: number }
  }
  readonly permission?: {
    readonly request_id: string
    readonly status: string
    readonly reason: string
    readonly risk: string
  }
  readonly redactions?: { readonly count: number; readonly names: readonly string[] }
  readonly budget?: {
    readonly limit_chars: number
    readonly cut: readonly {
      readonly at: string
      readonly unit: string
      readonly total: number
      readonly kept: number
    }[]
  }
}

/** An error as the server sent it. */
export interface ToolErrorBody {
  readonly kind: ErrorKind | (string & {})
  readonly message: string
  readonly recovery: Recovery
  readonly execution_state?: ExecutionState
  readonly retry_after_ms?: number
  readonly details?: object
}

/** A whole answer of a tool; the branch that does not hold is `never` (spec doors.md §5.2). */
export type ToolResult<Name extends ToolName = ToolName> =
  | { readonly success: true; readonly output: ToolOutput<Name>; readonly error?: never; readonly attached?: Attached }
  | { readonly success: false; readonly error: ToolErrorBody; readonly output?: object; readonly attached?: Attached }

/** Per-call options (spec doors.md §5.1). */
export interface CallOptions {
  /** Aborting rejects with `signal.reason` itself; an abort before the call sends nothing. */
  readonly signal?: AbortSignal | undefined
  /** Ms for all attempts and delays, 1,000..600,000. */
  readonly timeoutMs?: number | undefined
  readonly retry?: RetryOptions | false | undefined
  /** Workflow Session that records the call as provenance. */
  readonly recordingSessionId?: string | undefined
  /** Messages of the Session's board that the caller still holds (spec messages.md §6); in process only, HTTP has no such field. */
  readonly ackSessionMessageIds?: readonly string[] | undefined
  /** Own key under which the call may be repeated safely; default a fresh UUID. */
  readonly idempotencyKey?: string | undefined
  /** Longest serialised reply, UTF-16 units. */
  readonly maxChars?: number | undefined
  readonly onAbort?: "cancel" | "leave" | undefined
}

/** How often and how patiently a call is repeated (spec doors.md §5.4). */
export interface RetryOptions {
  /** Repeats after the first attempt, 0..10. */
  readonly max?: number | undefined
  readonly minDelayMs?: number | undefined
  readonly maxDelayMs?: number | undefined
}

/** Whether an input may be left out: it requires nothing. */
export type NoRequired<Input> = Record<never, never> extends Input ? true : false

/** One method a tool; the input may be left out when it requires nothing. */
export type ToolMethods = {
  readonly [Name in ToolName]: NoRequired<ToolInput<Name>> extends true
    ? (input?: ToolInput<Name>, options?: CallOptions) => Promise<ToolOutput<Name>>
    : (input: ToolInput<Name>, options?: CallOptions) => Promise<ToolOutput<Name>>
}
