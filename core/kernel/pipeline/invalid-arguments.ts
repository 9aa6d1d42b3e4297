import type { z } from "zod"
import { ToolError } from "../error.ts"
import { type ExplainedFault, explainedFaults, type FieldFault } from "./issues.ts"

const MAX_FIELDS = 16

/** A parse that failed, with what the caller needs to mend it (spec kernel.md §6). */
export interface FailedParse {
  readonly tool: string
  readonly raw: unknown
  readonly issues: readonly z.core.$ZodIssue[]
  /** Paths of the fields that exist in the object of the first unknown one. */
  readonly known: readonly string[]
  readonly schemaHash: string
  /** Faults found elsewhere in the same call (wrapper fields). */
  readonly more?: readonly FieldFault[]
}

/** All faults of a parse as one error. */
export function invalidArguments({ tool, raw, issues, known, schemaHash, more = [] }: FailedParse): ToolError {
  return invalidFields({ tool, fields: [...explainedFaults(issues, raw), ...more], known, schemaHash })
}

/** Field faults as one error: the first path, ≤ 16 faults, the unknown fields beside the known ones; never a value. */
export function invalidFields(faults: {
  readonly tool: string
  readonly fields: readonly ExplainedFault[]
  readonly known?: readonly string[]
  readonly schemaHash: string
  /** Says more than the codes do. */
  readonly sentence?: string
}): ToolError<"invalid_arguments"> {
  const { tool, fields, known = [], schemaHash } = faults
  const pathsOf = (code: FieldFault["code"]): string[] =>
    fields.filter((fault) => fault.code === code).map((fault) => fault.path)
  const unknown = pathsOf("unknown").slice(0, MAX_FIELDS)
  const missing = pathsOf("required").slice(0, MAX_FIELDS)
  return new ToolError("invalid_arguments", faults.sentence ?? sentence(tool, fields), {
    details: {
      field: fields[0]?.path ?? "",
      fields: fields.slice(0, MAX_FIELDS).map(({ path, code }) => ({ path, code })),
      ...(unknown.length === 0 ? {} : { unknown_fields: unknown }),
      ...(unknown.length > 0 && known.length > 0 ? { known_fields: [...known] } : {}),
      ...(missing.length === 0 ? {} : { missing_fields: missing }),
      schema_hash: schemaHash,
    },
  })
}

const MEANING: Readonly<Record<FieldFault["code"], string>> = {
  required: "is required",
  type: "has the wrong type",
  too_small: "is too small or too short",
  too_big: "is too large or too long",
  pattern: "has the wrong form",
  enum: "is not one of the allowed values",
  format: "has the wrong format",
  conflict: "does not fit the other fields",
  unknown: "is not a field",
  null: "must not be null (leave it out)",
}

const MAX_SENTENCE = 500

/** With what each field would have to be, unless that is too long. */
function sentence(tool: string, fields: readonly ExplainedFault[]): string {
  const whole = sentenceOf(tool, fields, meaningOf)
  return whole.length <= MAX_SENTENCE ? whole : sentenceOf(tool, fields, ({ code }) => MEANING[code])
}

/** What has no value of its own, or is known by its name, is told as that. */
function meaningOf({ code, expected }: ExplainedFault): string {
  if (code === "required") return expected === undefined ? MEANING[code] : `${MEANING[code]} and ${expected}`
  return code === "null" || code === "unknown" ? MEANING[code] : (expected ?? MEANING[code])
}

function sentenceOf(
  tool: string,
  fields: readonly ExplainedFault[],
  meaning: (fault: ExplainedFault) => string,
): string {
  const named = fields
    .slice(0, 3)
    .map((fault) => `${fault.path === "" ? "the input" : `\`${fault.path}\``} ${meaning(fault)}`)
  const rest = fields.length > 3 ? `, and ${fields.length - 3} more` : ""
  return `The arguments of ${tool} are not valid: ${named.join("; ")}${rest}. Correct them as tool_manifest describes and call again.`
}

/** A handler's own `invalid_arguments` with the hash that every such error carries (spec doors.md §2.3). */
export function withSchemaHash(error: ToolError, schemaHash: string): ToolError {
  if (error.kind !== "invalid_arguments") return error
  const { message, details, executionState, output } = error
  return new ToolError("invalid_arguments", message, {
    details: { ...details, schema_hash: schemaHash },
    ...(executionState === undefined ? {} : { executionState }),
    ...(output === undefined ? {} : { output }),
    cause: error.cause,
  })
}
