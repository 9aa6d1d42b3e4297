import type { z } from "zod"
import type { Scope } from "../access/scopes.ts"
import type { Evidence, Facts, ToolCallStarted } from "../ledger/events.ts"
import type { OpenCall } from "../ledger/store.ts"
import type { Expectation } from "../validation/expectation.ts"
import type { Call, CallPorts, RecoveryPorts } from "./call.ts"
import type { Touches } from "./chat-sessions.ts"
import type { ToolError } from "./error.ts"
import type { ErrorKind } from "./error-kinds.ts"
import type { ExecutionState } from "./errors/row.ts"
import type { Risk } from "./permission.ts"

/** The named sets of tools that an MCP endpoint or the GPT Actions document shows (spec kernel.md §8). */
export const SURFACES = ["coding", "shell", "workflow", "full"] as const
/** One of `SURFACES`. */
export type Surface = (typeof SURFACES)[number]

/** What tools are about (spec kernel.md §1). */
export const CATEGORIES = [
  "discovery",
  "project",
  "session",
  "message",
  "peer",
  "workflow",
  "validation",
  "exec",
  "job",
  "shell",
  "file",
  "search",
  "edit",
  "git",
  "checkpoint",
  "memory",
  "skill",
  "run",
  "chat",
  "upstream",
  "conversation",
] as const
/** One of `CATEGORIES`. */
export type Category = (typeof CATEGORIES)[number]

/** The optional parts of the product; a tool with a feature exists only where it is configured. */
export const FEATURES = ["memory", "skills", "runs", "upstream", "browser", "conversations", "remote"] as const
/** One of `FEATURES`. */
export type Feature = (typeof FEATURES)[number]

/** Whether a tool takes a target: never, if given, always. */
export type Need = "none" | "optional" | "required"

/** What a call does to the world: looks, changes what is stored, runs something. */
export const EFFECTS = ["observe", "mutate", "execute"] as const
/** One of `EFFECTS`. */
export type Effect = (typeof EFFECTS)[number]
export type Activity = ToolCallStarted["activity"]

/** Where a `reduce` or `verbatim` entry points: dotted members of `output`, `[]` for each element (`items[].text`). */
export type JsonPath = string

/** One step by which an over-long output is made to fit (spec kernel.md §13). */
export interface Reduction {
  readonly at: JsonPath
  readonly kind: "text" | "list" | "drop"
  readonly min: number
}

/** What recovery found out about a call whose process died (spec kernel.md §15). */
export interface Recovered {
  readonly status: "succeeded" | "failed"
  readonly errorKind?: ErrorKind
  readonly executionState?: ExecutionState
  readonly evidence?: Evidence
  readonly jobId?: string
  readonly expectation?: Expectation
}

/** What a definition's `recall` may use. */
export interface RecalledCall {
  /** Of the Job that the call had started. */
  readonly jobId: string
  readonly ports: Pick<CallPorts, "store" | "clock" | "secrets">
}

/** Which bounded, non-secret facts of a call may be kept; what is not named here is stored nowhere (spec kernel.md §1). */
export interface Recording<Input, Output> {
  input?(input: Input): Facts
  output?(output: Output): Facts
  error?(error: ToolError): Facts
  /** Project-relative, ≤ 200. */
  changedPaths?(output: Output): readonly string[]
  observedPaths?(input: Input, output: Output): readonly string[]
  evidence?(result: { readonly output: Output } | { readonly error: ToolError }): Evidence
  jobId?(output: Output): string | undefined
  /** What was declared of the result, and how the result stands to it (spec workflow.md §5). */
  expectation?(input: Input, result: { readonly output: Output } | { readonly error: ToolError }): Expectation
  exit?(output: Output): { readonly exit_code: number | null; readonly signal?: string } | undefined
}

/** What an input adds to a definition's demands; pure, can only add (spec kernel.md §1). */
export interface Elevation {
  readonly scopes?: readonly Scope[]
  readonly risk?: Risk
  readonly guard?: readonly ("write" | "shell")[]
}

/**
 * The one place where a fact about a tool is stated; doors, documents, SDK types, guards, audit and tests derive from it
 * (spec kernel.md §1, design §4).
 */
export interface ToolDefinition<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name
  readonly alias?: Partial<Record<Surface, string>>
  readonly title: string
  readonly description: string
  readonly category: Category
  readonly feature?: Feature
  readonly input: Input
  readonly output: Output
  readonly effect: Effect
  readonly mutates?: "workspace" | "session" | "knowledge"
  readonly destructive: boolean
  readonly openWorld: boolean
  readonly idempotency: "natural" | "none" | { readonly key: string }
  readonly risk: Risk
  readonly scopes: readonly Scope[]
  elevate?(input: z.output<Input>): Elevation
  readonly target: { readonly project: Need; readonly session: Need; readonly chat: Need }
  readonly foreign?: readonly ["session_id"]
  readonly whileStopped?: true
  readonly whileClosed?: true
  readonly recordsBusiness?: false
  readonly inherits: readonly ("cwd" | "shell" | "resource")[]
  readonly resource: "routes" | "rejects" | "ignores"
  /** Runs shell text, which a Project's configuration may forbid (spec kernel.md §9). */
  readonly rawShell?: true
  /** Refuses half a surrogate pair in its texts itself, with a kind of its own (spec messages.md §11 case 41). */
  readonly judgesUnicode?: true
  readonly expectation: readonly ("result_expectation" | "accepted_exit_codes" | "assertion_name")[]
  readonly activity: Activity
  readonly deadline: "short" | "wait" | "handover"
  readonly surfaces: readonly Exclude<Surface, "full">[]
  touches?(input: z.output<Input>): Touches
  readonly record: Recording<z.output<Input>, z.output<Output>>
  readonly reduce: readonly Reduction[]
  readonly verbatim?: readonly JsonPath[]
  /** The board message that a call itself posted, which its own reply does not show again (spec messages.md §6). */
  posts?(output: z.output<Output>): string | undefined
  recover?(open: OpenCall, ports: RecoveryPorts): Promise<Recovered | undefined>
  /**
   * What a repeated call key gets of a recovered call that had started a Job, by how that stands now; `undefined` where it is
   * not known any more. Throws like `handler`; runs nothing.
   */
  recall?(input: z.output<Input>, found: RecalledCall): Promise<z.output<Output> | undefined>
  handler(input: z.output<Input>, call: Call<z.output<Output>>): Promise<z.output<Output>>
}

/** Any definition, with its types forgotten: what a registry holds. Method syntax makes the parameters bivariant. */
export type AnyToolDefinition = ToolDefinition

/** States one tool (spec kernel.md §1). Pure data and functions; nothing happens until a registry is built from it. */
export function defineTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Name, Input, Output>,
): ToolDefinition<Name, Input, Output> {
  return definition
}
