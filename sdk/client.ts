import { type AttemptReport, createCaller } from "./caller.ts"
import {
  baseUrlOption,
  invalidOption,
  onAbortOption,
  retryOption,
  timeoutOption,
  tokenOption,
} from "./configuration.ts"
import { toolFailed } from "./failures.ts"
import { GATE_KINDS } from "./generated/tool-facts.ts"
import { createHttp, type TokenSource } from "./http.ts"
import { createHttpTransport } from "./http-transport.ts"
import { createJobHelpers, type JobHelpers } from "./jobs.ts"
import { type MessageChanges, type ObserveMessagesOptions, observeMessages } from "./messages.ts"
import { holdsName } from "./name-set.ts"
import { createOperator, type OperatorClient, type OperatorOptions } from "./operator.ts"
import { createSessionHandle, type SessionHandle, type SessionRef } from "./session.ts"
import { createToolMethods } from "./tool-methods.ts"
import type { Transport } from "./transport.ts"
import type { CallOptions, RetryOptions, ToolInput, ToolMethods, ToolName, ToolResult } from "./types.ts"

/** Options of a client over HTTP or over another transport (spec doors.md §5.1). All are copied and frozen. */
export interface ClientOptions {
  /** Origin of the server, or a base URL ending in `/s/{id}`; with `token`, the HTTP transport. */
  readonly baseUrl?: string | undefined
  /** A token, or a function called for every attempt. It is in no error, log, hook or JSON. */
  readonly token?: TokenSource | undefined
  /** Instead of `baseUrl` and `token`: an in-process transport (spec doors.md §6). */
  readonly transport?: Transport | undefined
  /** Default `globalThis.fetch`, looked up for every request. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Ms for all attempts and delays of a call, 1,000..600,000; default 60,000. */
  readonly timeoutMs?: number | undefined
  readonly retry?: RetryOptions | false | undefined
  readonly recordingSessionId?: string | undefined
  /** What an abort or a client timeout does with the call on the server; default `cancel`. */
  readonly onAbort?: "cancel" | "leave" | undefined
  /** Permits plain http beyond loopback. */
  readonly allowInsecure?: boolean | undefined
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined
}

/** A typed client of one Holdfast server. */
export interface HoldfastClient extends JobHelpers {
  /** One method a tool, named as on the wire; it resolves to the output and throws a `HoldfastError`. */
  readonly tools: ToolMethods
  /** Operator resources under `/api/*`; a refusal or failure is thrown as a `HoldfastError`. */
  readonly operator: OperatorClient
  /** The whole ToolResult; throws only what kept the call from the kernel: transport errors, the gate's refusals, aborts. */
  call<Name extends ToolName>(name: Name, input: ToolInput<Name>, options?: CallOptions): Promise<ToolResult<Name>>
  /** Changes of a Session's board as they come; `break` ends the look in flight. */
  observeMessages(sessionId: string, options?: ObserveMessagesOptions): MessageChanges
  /** A handle that fills in one Workflow Session and its Project; nothing is current or guessed. */
  session(ref: SessionRef, options?: { readonly record?: boolean }): SessionHandle
}

/**
 * A client of a Holdfast server (spec doors.md §5.1). Throws `configuration_invalid` naming the option.
 *
 * @example
 * ```ts
 * import { createClient } from "holdfast/sdk"
 *
 * export async function firstProject(token: string): Promise<string | undefined> {
 *   const client = createClient({ baseUrl: "http://127.0.0.1:4747", token })
 *   const { projects } = await client.tools.list_projects()
 *   return projects[0]?.project
 * }
 * ```
 */
export function createClient(options: ClientOptions): HoldfastClient {
  const { recordingSessionId, onAttempt } = options
  const timeoutMs = timeoutOption(options.timeoutMs ?? 60_000)
  const retry = retryOption(options.retry)
  const { transport, operator } = reach(options, { timeoutMs, retry })
  const callTool = createCaller({
    transport,
    timeoutMs,
    retry,
    recordingSessionId,
    onAbort: onAbortOption(options.onAbort),
    onAttempt,
  })
  const tools = createToolMethods<ToolMethods>(async (name, input, callOptions) => {
    const answer = await callTool(name, input, callOptions)
    const { result } = answer
    if (result.success) return result.output
    throw toolFailed(answer.of, result, answer)
  })
  return Object.freeze({
    tools,
    operator,
    async call<Name extends ToolName>(name: Name, input: ToolInput<Name>, callOptions?: CallOptions) {
      const answer = await callTool<Name>(name, input, callOptions)
      const { result } = answer
      if (!result.success && holdsName(GATE_KINDS, result.error.kind)) throw toolFailed(answer.of, result, answer)
      return result
    },
    session: (ref: SessionRef, sessionOptions: { readonly record?: boolean } = {}) =>
      createSessionHandle(tools, { ref, record: sessionOptions.record ?? false }),
    observeMessages: (sessionId: string, observing?: ObserveMessagesOptions) =>
      observeMessages(tools, sessionId, observing),
    ...createJobHelpers(tools),
  })
}

interface Reach {
  readonly transport: Transport
  readonly operator: OperatorClient
}

function reach(options: ClientOptions, policy: Pick<OperatorOptions, "timeoutMs" | "retry">): Reach {
  const { transport, fetch, baseUrl: base } = options
  if (transport) return { transport, operator: createOperator(undefined) }
  if (base === undefined) throw invalidOption("baseUrl", "is required without transport")
  const baseUrl = baseUrlOption(base, options.allowInsecure ?? false)
  const http = createHttp({ token: tokenOption(options.token), fetch: () => fetch ?? globalThis.fetch })
  return { transport: createHttpTransport(http, baseUrl), operator: createOperator({ http, baseUrl, ...policy }) }
}
