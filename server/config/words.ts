import type { z } from "zod"
import type { JsonFault } from "../../core/kernel/strict-json.ts"

/** What a value has to be, in words: library sentences name types and patterns that nobody typed. */
export function wordsOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `must be ${oneOf(issue.values.map(String))}`
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${KINDS[issue.expected] ?? "of another kind"}`
    case "too_small":
      return `must ${sized(issue.origin, "at least", issue.minimum)}`
    case "too_big":
      return `must ${sized(issue.origin, "at most", issue.maximum)}`
    case "unrecognized_keys":
      return `has no member ${issue.keys.map((key) => `"${key}"`).join(", ")}`
    case "invalid_format":
      return issue.format === "label" ? "must hold no control character" : "is not of the right form"
    default:
      return "is not one of the forms that are allowed"
  }
}

/** Why a file is not taken for a JSON object, as the end of a sentence. */
export function jsonFaultText({ reason, line }: JsonFault): string {
  const fault = reason === "duplicate_key" ? "names a member twice" : "is not a JSON object"
  return line === undefined ? fault : `${fault} (line ${line})`
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  record: "an object",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`
}

function sized(origin: string, bound: string, limit: number | bigint): string {
  if (origin === "string") return `have ${bound} ${limit} characters`
  return origin === "array" ? `have ${bound} ${limit} items` : `be ${bound} ${limit}`
}

/**
 * A fault as the end of a sentence: where in the value it is (elements count from 1), and what is wrong there. A rule of a
 * domain has a sentence of its own.
 */
export function faultText({ path, message }: Pick<z.core.$ZodIssue, "path" | "message">): string {
  const place = path.map((member) => (typeof member === "number" ? `item ${member + 1}` : String(member))).join(", ")
  if (/^\p{Lu}/u.test(message)) return place === "" ? message : `${place}: ${message}`
  return `${place === "" ? "it" : place} ${message}`
}
