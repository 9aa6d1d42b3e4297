import { z } from "zod"

/** What a caller may declare of a result before it is there; nothing declared wants success (spec workflow.md §5). */
export const RESULT_EXPECTATIONS = ["success", "failure", "observe"] as const
/** One of `RESULT_EXPECTATIONS`. */
export type ResultExpectation = (typeof RESULT_EXPECTATIONS)[number]

/** How the ledger classifies a result beside its raw truth (spec workflow.md §5). */
export const CLASSIFICATIONS = [
  "none",
  "matched_expected_result",
  "matched_expected_failure",
  "expectation_mismatch",
  "unexpected_success",
  "unexpected_failure",
] as const
/** One of `CLASSIFICATIONS`. */
export type Classification = (typeof CLASSIFICATIONS)[number]

/** Most different exit codes that a call may accept. */
export const MAX_EXIT_CODES = 32
/** Longest `assertion_name`, characters. */
export const MAX_ASSERTION_NAME = 80

const exitCode = z.int().min(0).max(255)

/** What was declared, as the row of a Job keeps it. */
export const declaredSchema = z.object({
  result: z.enum(RESULT_EXPECTATIONS).exactOptional(),
  /** Each once, ascending; alone or with `observe`. */
  exitCodes: z.array(exitCode).min(1).max(MAX_EXIT_CODES).readonly().exactOptional(),
  assertion: z.string().exactOptional(),
})
/** A value of `declaredSchema`. */
export type Declared = Readonly<z.infer<typeof declaredSchema>>

/** A declaration and what the result made of it, as events and outputs show it (spec workflow.md §5). */
export const expectationSchema = z.object({
  declared: z.enum(RESULT_EXPECTATIONS).nullable(),
  accepted_exit_codes: z.array(exitCode).max(MAX_EXIT_CODES).optional(),
  classification: z.enum(CLASSIFICATIONS),
  satisfied: z.boolean().nullable(),
})
/** A value of `expectationSchema`. */
export type Expectation = z.infer<typeof expectationSchema>

/** How far a result is known: not there yet, exited with a code, or an end without one (refused, signalled, lost, …). */
export type ResultSeen = "open" | { readonly exitCode: number } | "not_known"

/** The row of the table in workflow.md §5 that a result falls into. */
export function classify({ result = "success", exitCodes }: Declared, seen: ResultSeen): Classification {
  if (seen === "open") return "none"
  if (seen === "not_known") return "unexpected_failure"
  if (exitCodes !== undefined) {
    return exitCodes.includes(seen.exitCode) ? "matched_expected_result" : "expectation_mismatch"
  }
  const ok = seen.exitCode === 0
  if (result === "observe") return ok ? "none" : "matched_expected_result"
  if (result === "failure") return ok ? "unexpected_success" : "matched_expected_failure"
  return ok ? "none" : "unexpected_failure"
}

/** The classification and whether it satisfies what was declared; `null` where nothing was, or nothing is known yet. */
export function expectationOf(declared: Declared, seen: ResultSeen): Expectation {
  const { result, exitCodes } = declared
  const classification = classify(declared, seen)
  const isJudged = isDeclared(declared) && seen !== "open"
  return {
    declared: result ?? null,
    ...(exitCodes === undefined ? {} : { accepted_exit_codes: [...exitCodes] }),
    classification,
    satisfied: isJudged ? classification === "none" || classification.startsWith("matched_") : null,
  }
}

/** Whether a caller said anything of the result. */
export const isDeclared = ({ result, exitCodes }: Declared): boolean => result !== undefined || exitCodes !== undefined
