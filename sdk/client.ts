import { type AttemptReport, type CallTool, createCaller } from "./caller.ts"
import { baseUrlOption, invalidOption, retryOption, timeoutOption } from "./configuration.ts"
import { HoldfastError } from "./error.ts"
import { TOOL_FACTS } from "./generated/tool-facts.ts"
import { createHttpTransport, type TokenSource } from "./http-transport.ts"
import { createJobHelpers, type JobHelpers } from "./jobs.ts"
import { createOperator, type OperatorClient } from "./operator.ts"
import { createSessionHandle, type SessionHandle, type SessionRef } from "./session.ts"
import { createToolMethods } from "./tool-methods.ts"
import type { Transport, WireResult } from "./transport.ts"
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
  /** Operator resources under `/api/*`. */
  readonly operator: OperatorClient
  /** The whole ToolResult; throws only transport errors and aborts. */
  call<Name extends ToolName>(name: Name, input: ToolInput<Name>, options?: CallOptions): Promise<ToolResult<Name>>
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
  const transport = transportOf(options)
  const callTool = createCaller(
    Object.freeze({
      transport,
      timeoutMs: timeoutOption(options.timeoutMs ?? 60_000),
      retry: retryOption(options.retry),
      recordingSessionId: options.recordingSessionId,
      onAbort: options.onAbort ?? "cancel",
      onAttempt: options.onAttempt,
      observes,
    }),
  )
  const tools = createToolMethods((name, input, callOptions) =>
    outputOf(callTool, { name, input, options: callOptions }),
  )
  const operator = createOperator(options)
  const call: HoldfastClient["call"] = async (name, input, callOptions) =>
    wholeResult<typeof name>((await callTool(name, input, callOptions)).result)
  return Object.freeze({
    tools,
    operator,
    call,
    session: (ref: SessionRef, sessionOptions: { readonly record?: boolean } = {}) =>
      createSessionHandle(tools, { ref, record: sessionOptions.record ?? false }),
    ...createJobHelpers(tools),
  })
}

function observes(tool: string): boolean {
  return Object.entries(TOOL_FACTS).some(([name, facts]) => name === tool && facts.observe)
}

function transportOf(options: ClientOptions): Transport {
  if (options.transport !== undefined) return options.transport
  if (options.baseUrl === undefined) throw invalidOption("baseUrl", "is required without transport.")
  if (options.token === undefined || options.token === "")
    throw invalidOption("token", "is required without transport.")
  return createHttpTransport({
    baseUrl: baseUrlOption(options.baseUrl, options.allowInsecure ?? false),
    token: options.token,
    fetch: () => options.fetch ?? globalThis.fetch,
  })
}

/** The wire's own shape is what the generated types describe; the server's documents and its replies come from one definition. */
function wholeResult<Name extends ToolName>(result: WireResult): ToolResult<Name> {
  return result as ToolResult<Name>
}

interface NamedCall {
  readonly name: string
  readonly input: object
  readonly options: CallOptions | undefined
}

async function outputOf(callTool: CallTool, { name, input, options }: NamedCall): Promise<object> {
  const { result, status, requestId, attempts } = await callTool(name, input, options)
  if (result.success) return result.output
  const { kind, message, recovery, execution_state, details } = result.error
  const refused = status !== 200 && !observes(name) ? "not_started" : undefined
  throw new HoldfastError({
    kind,
    message,
    recovery,
    executionState: execution_state ?? refused,
    details,
    output: result.output,
    tool: name,
    status,
    requestId,
    attempts,
  })
}
