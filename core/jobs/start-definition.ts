import type { z } from "zod"
import type { ToolError } from "../kernel/error.ts"
import type { Facts } from "../ledger/events.ts"
import { declaredIn, type ExpectationInput, recordedExpectation } from "./expectation.ts"
import type { StartOutput } from "./output-schema.ts"
import { startOutputSchema } from "./output-schema.ts"
import { recallStart } from "./recalled.ts"
import { recoverStart } from "./recovery.ts"
import type { commonFields } from "./start-fields.ts"
import { errorEvidence, errorFacts, outputEvidence, outputFacts } from "./start-record.ts"

/** What all tools that start an execution state alike (spec exec-and-jobs.md §2, §3, §11). */
export const startDefinition = {
  category: "exec",
  output: startOutputSchema,
  effect: "execute",
  destructive: false,
  openWorld: true,
  target: { project: "required", session: "optional", chat: "optional" },
  expectation: [],
  activity: "execute",
  deadline: "handover",
  reduce: [
    { at: "stdout", kind: "text", min: 300 },
    { at: "stderr", kind: "text", min: 300 },
    { at: "background", kind: "list", min: 0 },
    { at: "ended_background", kind: "list", min: 0 },
    { at: "survivors", kind: "list", min: 0 },
    { at: "outcome.then.survivors", kind: "list", min: 0 },
    { at: "cwd", kind: "text", min: 200 },
  ],
  verbatim: ["job_id", "observation_token"],
  recover: recoverStart,
  recall: recallStart,
} as const

type StartInput = Pick<
  z.output<z.ZodObject<typeof commonFields>>,
  "background" | "budget" | "stdin" | "env" | "purpose"
> & {
  readonly timeout_secs: number
} & ExpectationInput

type StartResult = { readonly output: StartOutput } | { readonly error: ToolError }

/** What the ledger keeps of any start: never command, input, output, environment, paths, pids (spec exec-and-jobs.md §11). */
export const startRecord = {
  output: outputFacts,
  error: errorFacts,
  evidence: (result: StartResult) => ("output" in result ? outputEvidence(result.output) : errorEvidence(result.error)),
  jobId: (output: StartOutput) => output.job_id,
  // A command that never started stands beside its error without an exit.
  exit: ({ exit_code, signal }: StartOutput) =>
    exit_code === undefined ? undefined : { exit_code, ...(signal === undefined ? {} : { signal }) },
}

/** The same of a start whose result may be declared (spec workflow.md §5). */
export const judgedRecord = {
  ...startRecord,
  expectation: (input: ExpectationInput, result: StartResult) => recordedExpectation(input, result),
}

/** Facts of the common inputs. */
export function startFacts(input: StartInput): Facts {
  const { assertion } = declaredIn(input)
  return {
    timeout_secs: input.timeout_secs,
    background: input.background,
    budget_present: input.budget !== undefined,
    stdin_present: input.stdin !== undefined,
    env_count: input.env?.length ?? 0,
    ...(input.purpose === undefined ? {} : { purpose: input.purpose }),
    ...(assertion === undefined ? {} : { assertion_name: assertion }),
  }
}
