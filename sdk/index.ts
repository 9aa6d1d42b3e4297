/** Typed client of a Holdfast server (spec doors.md §5). No Node built-in; browsers, Node, Deno and Bun. */
export type { AttemptReport } from "./caller.ts"
export { type ClientOptions, createClient, type HoldfastClient } from "./client.ts"
export {
  type ClientErrorKind,
  type ExecutionState,
  HoldfastError,
  type HoldfastErrorFacts,
  isHoldfastError,
  type Recovery,
} from "./error.ts"
export type { SessionToolName } from "./generated/tool-facts.ts"
export type { TokenSource } from "./http.ts"
export type { JobOutputItem } from "./job-output.ts"
export type { JobHelpers, JobLog, WaitForJobOptions } from "./jobs.ts"
export type { BoardMessage, MessageChanges, ObserveMessagesOptions } from "./messages.ts"
export type { OperatorClient } from "./operator.ts"
export type { SessionHandle, SessionRef, SessionToolMethods } from "./session.ts"
export type { Attempt, AttemptEnd, Transport } from "./transport.ts"
export type {
  Attached,
  CallOptions,
  ErrorKind,
  RetryOptions,
  ToolErrorBody,
  ToolInput,
  ToolMethods,
  ToolName,
  ToolOutput,
  ToolResult,
} from "./types.ts"
