import type { z } from "zod"
import { expectedOf } from "./expected.ts"

/** What is wrong with one field; never its value (spec kernel.md §6 `invalid_arguments`). */
export interface FieldFault {
  /** Dotted path, `[n]` for elements; empty for the whole input. */
  readonly path: string
  readonly code:
    | "required"
    | "type"
    | "too_small"
    | "too_big"
    | "pattern"
    | "enum"
    | "format"
    | "conflict"
    | "unknown"
    | "null"
}

/** A fault with the words that say what the field would have to be. */
export interface ExplainedFault extends FieldFault {
  readonly expected?: string | undefined
}

/** Every fault that a parse found, in its order; `raw` is what was parsed, to tell absent and `null` from a wrong type. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], raw: unknown): readonly FieldFault[] {
  return explainedFaults(issues, raw).map(({ path, code }) => ({ path, code }))
}

/** The same for a sentence. */
export function explainedFaults(issues: readonly z.core.$ZodIssue[], raw: unknown): readonly ExplainedFault[] {
  return issues.flatMap((issue) => faultsOfIssue(issue, raw))
}

function faultsOfIssue(issue: z.core.$ZodIssue, raw: unknown): readonly ExplainedFault[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: pathText([...issue.path, key]), code: "unknown" }))
  const code = codeOf(issue, valueAt(raw, issue.path))
  return [{ path: pathText(issue.path), code, expected: expectedOf(issue) }]
}

function codeOf(issue: z.core.$ZodIssue, value: unknown): FieldFault["code"] {
  if (value === null) return "null"
  switch (issue.code) {
    case "invalid_type":
      return value === undefined ? "required" : "type"
    case "invalid_value":
      if (value === undefined) return "required"
      return "enum"
    case "too_big":
    case "too_small":
      return issue.code
    case "invalid_format":
      return issue.format === "regex" ? "pattern" : "format"
    case "not_multiple_of":
      return "format"
    case "custom":
      return "conflict"
    default:
      return value === undefined ? "required" : "type"
  }
}

/** The caller's value at a path; `undefined` where there is none. */
function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw
  for (const member of path) {
    if (typeof value !== "object" || value === null) return undefined
    value = Object.hasOwn(value, member) ? Reflect.get(value, member) : undefined
  }
  return value
}

const MAX_PATH_CHARS = 120

/** A path as callers know it (`items[0].path`), at most 120 characters. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = ""
  for (const member of path) {
    if (typeof member === "number") text += `[${member}]`
    else text += text === "" ? String(member) : `.${String(member)}`
  }
  return text.length <= MAX_PATH_CHARS ? text : `${text.slice(0, MAX_PATH_CHARS - 1)}…`
}
