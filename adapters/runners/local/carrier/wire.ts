import { isToolError, ToolError, type ToolErrorOptions } from "../../../../core/kernel/error.ts"
import type { ErrorKind } from "../../../../core/kernel/error-kinds.ts"

/** A ToolError with all that it says, but for its cause, which is logged where it arose. */
interface WiredError extends Omit<ToolErrorOptions<ErrorKind>, "cause"> {
  readonly kind: ErrorKind
  readonly message: string
}

/** How a call failed: as a port may, or by a fault of ours. */
type WiredFault = { readonly refused: WiredError } | { readonly broken: string }

/** A call as its text says it. */
export interface WiredCall {
  readonly method: string
  readonly args: readonly unknown[]
  /** Which argument had a signal; the far end puts its own there. */
  readonly signalAt?: number
}

/** A value in two parts: what JSON can say, and bytes that stood in its member `bytes`. */
export interface WiredValue {
  readonly text: string
  readonly bytes: Uint8Array
}

const ERROR_MARK = "$toolError"
const NOTHING = new Uint8Array(0)

/** Puts a call into words; a signal among the members of an argument is left out and named. */
export function wireCall(
  method: string,
  args: readonly unknown[],
): { readonly text: string; readonly signal?: AbortSignal } {
  const at = args.findIndex((arg) => signalIn(arg) !== undefined)
  const signal = signalIn(args[at])
  if (signal === undefined) return { text: JSON.stringify({ method, args }) }
  const plain = args.map((arg, index) => (index === at ? { ...Object(arg), signal: undefined } : arg))
  return { text: JSON.stringify({ method, args: plain, signalAt: at }), signal }
}

/** The call with a signal of this end in the place of the caller's. */
export function unwireCall(
  text: string,
  signal: AbortSignal,
): { readonly method: string; readonly args: readonly unknown[] } {
  const { method, args, signalAt }: WiredCall = JSON.parse(text)
  // JSON has no word for what is not given.
  const given = args.map((arg) => arg ?? undefined)
  return { method, args: given.map((arg, index) => (index === signalAt ? { ...Object(arg), signal } : arg)) }
}

/** Puts a result into words; ToolErrors in it, such as the refusal in the facts of a run, stay what they are. */
export function wireValue(value: unknown): WiredValue {
  if (typeof value !== "object" || value === null || !("bytes" in value) || !(value.bytes instanceof Uint8Array)) {
    return { text: JSON.stringify(value, markErrors) ?? "", bytes: NOTHING }
  }
  return { text: JSON.stringify({ ...value, bytes: null }, markErrors), bytes: value.bytes }
}

/** The result again. It is of the type that the far end's port gave: both ends speak one protocol. */
export function unwireValue<T>({ text, bytes }: WiredValue): T {
  // The far end's port may answer with nothing.
  const value = text === "" ? undefined : parsed(text)
  if (value?.bytes === null) value.bytes = bytes
  return value
}

function parsed(text: string): ReturnType<typeof JSON.parse> {
  return text.includes(`"${ERROR_MARK}":`) ? JSON.parse(text, reviveErrors) : JSON.parse(text)
}

/** Puts a failure into words. */
export function wireFault(error: unknown): string {
  const fault: WiredFault = isToolError(error)
    ? { refused: wiredError(error) }
    : { broken: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  return JSON.stringify(fault)
}

/** The failure again. */
export function unwireFault(text: string): Error {
  const fault: WiredFault = JSON.parse(text)
  return "refused" in fault ? toolError(fault.refused) : new Error(`Runner host: ${fault.broken}`)
}

function signalIn(arg: unknown): AbortSignal | undefined {
  if (typeof arg !== "object" || arg === null || !("signal" in arg)) return undefined
  return arg.signal instanceof AbortSignal ? arg.signal : undefined
}

function markErrors(_key: string, value: unknown): unknown {
  return isToolError(value) ? { [ERROR_MARK]: wiredError(value) } : value
}

function reviveErrors(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(ERROR_MARK in value)) return value
  const error: WiredError = Object(value[ERROR_MARK])
  return toolError(error)
}

function wiredError({ kind, message, recovery, details, executionState, retryAfterMs, output }: ToolError): WiredError {
  return {
    kind,
    message,
    recovery,
    ...(details === undefined ? {} : { details }),
    ...(executionState === undefined ? {} : { executionState }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(output === undefined ? {} : { output }),
  }
}

function toolError({ kind, message, ...options }: WiredError): ToolError {
  return new ToolError(kind, message, options)
}
