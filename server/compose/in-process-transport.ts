import type { Caller } from "../../core/access/principal.ts"
import type { WrapperFields } from "../../core/kernel/kernel.ts"
import type { Attempt, AttemptEnd, Transport } from "../../sdk/transport.ts"
import type { Runtime } from "./runtime.ts"

const WAY_BACK_MS = 500

/**
 * The SDK's transport without a network (spec doors.md §6): the same calls, keys and errors. Input and output are copied, so
 * that a caller's later change of either changes nothing.
 */
export function createInProcessTransport(runtime: Runtime, caller: Caller): Transport {
  const { kernel, ids } = runtime
  return {
    async attempt(attempt) {
      // Who gave up is gone; the call itself goes on unless it is cancelled by its key.
      const gone = new AbortController()
      const leave = (): void => gone.abort("client_gone")
      attempt.signal.addEventListener("abort", leave)
      try {
        const { result, httpStatus } = await kernel.call({
          tool: attempt.tool,
          input: inputOf(attempt.input),
          wrapper: wrapperOf(attempt),
          acknowledges: true,
          caller,
          door: "embedded",
          request: {
            id: ids.token(),
            key: attempt.idempotencyKey,
            deadlineMs: attempt.waitSecs * 1_000 - WAY_BACK_MS,
            ...(attempt.maxChars === undefined ? {} : { replyLimit: attempt.maxChars }),
          },
          signal: gone.signal,
        })
        return answered(copyOf(result), httpStatus)
      } finally {
        attempt.signal.removeEventListener("abort", leave)
      }
    },
    cancel(key) {
      kernel.cancel(caller, key)
    },
  }
}

/** A copy; an input is whatever a program sends, but most are flat. */
function inputOf(input: object): object {
  const isFlat = Object.getPrototypeOf(input) === Object.prototype && Object.values(input).every(isPrimitive)
  return isFlat ? { ...input } : structuredClone(input)
}

const isPrimitive = (value: unknown): boolean =>
  value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)

/** A copy of plain JSON, which every result is; `structuredClone`, made for all values, takes longer than most calls. */
function copyOf<T extends object>(json: T): T
function copyOf(json: object): object {
  if (Array.isArray(json)) return json.map(copyOfMember)
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, copyOfMember(member)]))
}

function copyOfMember(member: unknown): unknown {
  return typeof member === "object" && member !== null ? copyOf(member) : member
}

function wrapperOf({ recordingSessionId, ackSessionMessageIds }: Attempt): WrapperFields {
  return {
    ...(recordingSessionId === undefined ? {} : { recording_session_id: recordingSessionId }),
    ...(ackSessionMessageIds === undefined ? {} : { ack_session_message_ids: [...ackSessionMessageIds] }),
  }
}

function answered(result: object, status: number): AttemptEnd {
  return {
    kind: "answered",
    status,
    result,
    requestId: undefined,
    retryAfterMs: undefined,
    tokenRefreshed: false,
  }
}
