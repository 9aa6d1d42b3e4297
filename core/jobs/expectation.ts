import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import type { ToolError } from "../kernel/error.ts"
import { labelSchema } from "../kernel/text-schema.ts"
import {
  type Declared,
  type Expectation,
  expectationOf,
  isDeclared,
  MAX_ASSERTION_NAME,
  MAX_EXIT_CODES,
  RESULT_EXPECTATIONS,
  type ResultSeen,
} from "../validation/expectation.ts"
import { invalidField } from "./environment.ts"
import { exitOf } from "./outcome.ts"
import type { Job } from "./record.ts"
import { isTerminal } from "./states.ts"

/** More than there are codes: each counts once however often it is named. */
const MAX_NAMED_CODES = 256

/** What a caller expects of the result, on every tool that classifies it (spec workflow.md §5). */
export const resultExpectationField = z.enum(RESULT_EXPECTATIONS).describe("Only judged in the record.").optional()

/** Fields of a declaration on one-shots and Jobs. */
export const expectationFields = {
  result_expectation: resultExpectationField,
  assertion_name: labelSchema(1, MAX_ASSERTION_NAME).describe("Check's name.").optional(),
}

/** Exit codes that are as good as 0 for the ledger. */
export const acceptedExitCodesField = z
  .array(z.int().min(0).max(255))
  .min(1)
  .max(MAX_NAMED_CODES)
  .describe("Only judged in the record; non-zero still fails.")
  .optional()

/** The inputs of a declaration. */
export interface ExpectationInput {
  readonly result_expectation?: Declared["result"] | undefined
  readonly accepted_exit_codes?: readonly number[] | undefined
  readonly assertion_name?: string | undefined
}

/** What an input declares, as it stands; not every tool has every field. */
export function declaredIn(input: ExpectationInput): Declared {
  const result = "result_expectation" in input ? input.result_expectation : undefined
  const codes = "accepted_exit_codes" in input ? input.accepted_exit_codes : undefined
  const assertion = "assertion_name" in input ? input.assertion_name : undefined
  return {
    ...(result === undefined ? {} : { result }),
    ...(codes === undefined ? {} : { exitCodes: [...new Set(codes)].sort((one, other) => one - other) }),
    ...(assertion === undefined ? {} : { assertion }),
  }
}

/** The checked declaration of a start (spec workflow.md §5). Throws `invalid_arguments`; nothing was started. */
export function checkedDeclaration(
  { ports }: Pick<Call, "ports">,
  input: ExpectationInput,
): { readonly expectation: Declared } {
  const expectation = declaredIn(input)
  const { result, exitCodes, assertion } = expectation
  if (exitCodes !== undefined && exitCodes.length > MAX_EXIT_CODES) {
    throw invalidField("accepted_exit_codes", "too_big", `accepted_exit_codes holds more than ${MAX_EXIT_CODES} codes.`)
  }
  if (exitCodes !== undefined && result !== undefined && result !== "observe") {
    const sentence = `accepted_exit_codes stands alone or with result_expectation observe, not ${result}. Leave one out.`
    throw invalidField("accepted_exit_codes", "conflict", sentence)
  }
  if (assertion !== undefined && ports.secrets.redactor().redactText(assertion).text !== assertion) {
    throw invalidField(
      "assertion_name",
      "format",
      "assertion_name looks like it holds a secret. Name the check otherwise.",
    )
  }
  return { expectation }
}

/** The ledger's view of a start or a command in a shell, from its input and its answer. */
export function recordedExpectation(
  input: ExpectationInput,
  result: { readonly output: object } | { readonly error: ToolError },
): Expectation {
  return expectationOf(declaredIn(input), seenIn("output" in result ? result.output : result.error.output))
}

/** How far an answer tells the result; one that stands beside no output was never started, or nobody knows. */
function seenIn(output: object | undefined): ResultSeen {
  const exitCode: unknown = output === undefined ? undefined : Reflect.get(output, "exit_code")
  if (typeof exitCode === "number") return { exitCode }
  return output !== undefined && Reflect.get(output, "promoted_to_job") === true ? "open" : "not_known"
}

/** The same of a Job's row; absent for a tool that classifies nothing. */
export function jobExpectation({
  expectation,
  status,
  outcome,
}: Pick<Job, "expectation" | "status" | "outcome">): Expectation | undefined {
  if (expectation === undefined) return undefined
  if (!isTerminal(status)) return expectationOf(expectation, "open")
  const { exit_code: exitCode } = exitOf(outcome)
  return expectationOf(expectation, exitCode === null ? "not_known" : { exitCode })
}

/** The member of an answer; only where something was declared. */
export function expectationMember(job: Pick<Job, "expectation" | "status" | "outcome">): {
  readonly expectation?: Expectation
} {
  const expectation = jobExpectation(job)
  if (expectation === undefined || job.expectation === undefined || !isDeclared(job.expectation)) return {}
  return { expectation }
}
