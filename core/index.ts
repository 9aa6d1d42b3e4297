/** What a tool is and what runs it (package entry `holdfast/core`): for authors of tools, adapters and hosts. */
export { type EmbeddedOptions, embeddedCaller, stdioCaller } from "./access/callers.ts"
export type { AuthorityGroup, Caller, CredentialKind, Principal } from "./access/principal.ts"
export { SCOPE_BUNDLES, type Scope, scopeSchema } from "./access/scopes.ts"
export type { Call, CallPorts, Deadline } from "./kernel/call.ts"
export type { Clock } from "./kernel/clock.ts"
export { createKernel, type KernelDeps } from "./kernel/create-kernel.ts"
export {
  type AnyToolDefinition,
  defineTool,
  type Effect,
  type Recording,
  type Recovered,
  type Surface,
  type ToolDefinition,
} from "./kernel/definition.ts"
export { isToolError, ToolError } from "./kernel/error.ts"
export { type ErrorDetails, type ErrorKind, errorKinds } from "./kernel/error-kinds.ts"
export type { ExecutionState, Recovery } from "./kernel/errors/row.ts"
export { createIds, type Ids } from "./kernel/ids.ts"
export type { CallAnswer, CallRequest, Kernel } from "./kernel/kernel.ts"
export { createRegistry, type Registry, type RegistryOptions } from "./kernel/registry.ts"
export type { Attached, ToolResult } from "./kernel/result.ts"
export { createSecretRegistry, type Secrets } from "./kernel/secrets.ts"
export type { Signals } from "./kernel/signals.ts"
export type { CallFacts, Telemetry } from "./kernel/telemetry.ts"
export { textSchema } from "./kernel/text-schema.ts"
export type { Runner, RunnerDirectory } from "./runners/runner.ts"
export type { Store, Tx } from "./store.ts"
export { allTools } from "./tools.ts"
