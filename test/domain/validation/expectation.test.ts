import { describe, expect, it } from "vitest"
import {
  type Classification,
  classify,
  type Declared,
  expectationOf,
  type ResultSeen,
} from "../../../core/validation/expectation.ts"

const ok: ResultSeen = { exitCode: 0 }
const known: ResultSeen = { exitCode: 3 }

/** The table of workflow.md §5: a declaration, what was seen, the classification, whether it satisfies. */
const TABLE: readonly (readonly [Declared, ResultSeen, Classification, boolean | null])[] = [
  [{}, "open", "none", null],
  [{ result: "failure" }, "open", "none", null],
  [{ exitCodes: [1] }, "open", "none", null],
  [{ exitCodes: [0, 3] }, ok, "matched_expected_result", true],
  [{ exitCodes: [0, 3] }, known, "matched_expected_result", true],
  [{ result: "observe", exitCodes: [3] }, known, "matched_expected_result", true],
  [{ exitCodes: [1] }, ok, "expectation_mismatch", false],
  [{ exitCodes: [1] }, known, "expectation_mismatch", false],
  [{ result: "observe", exitCodes: [1] }, known, "expectation_mismatch", false],
  [{ exitCodes: [1] }, "not_known", "unexpected_failure", false],
  [{ result: "observe" }, ok, "none", true],
  [{ result: "observe" }, known, "matched_expected_result", true],
  [{ result: "observe" }, "not_known", "unexpected_failure", false],
  [{ result: "failure" }, ok, "unexpected_success", false],
  [{ result: "failure" }, known, "matched_expected_failure", true],
  [{ result: "failure" }, "not_known", "unexpected_failure", false],
  [{ result: "success" }, ok, "none", true],
  [{ result: "success" }, known, "unexpected_failure", false],
  [{ result: "success" }, "not_known", "unexpected_failure", false],
  [{}, ok, "none", null],
  [{}, known, "unexpected_failure", null],
  [{}, "not_known", "unexpected_failure", null],
  [{ assertion: "login works" }, known, "unexpected_failure", null],
]

describe("declared expectations", () => {
  it.each(TABLE)("%j and %j are %s, satisfied %s", (declared, seen, classification, satisfied) => {
    expect(classify(declared, seen)).toBe(classification)
    expect(expectationOf(declared, seen)).toEqual({
      declared: declared.result ?? null,
      ...(declared.exitCodes === undefined ? {} : { accepted_exit_codes: declared.exitCodes }),
      classification,
      satisfied,
    })
  })
})
