import type { z } from "zod"

/** Longest list of allowed values that a sentence holds, characters. */
const MAX_LISTED = 160

const TYPES: Readonly<Record<string, string>> = {
  string: "must be a string",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  tuple: "must be a list",
  object: "must be an object",
}

/** What a value is counted in, one and many. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: [" character", " characters"],
  array: [" entry", " entries"],
  number: ["", ""],
  int: ["", ""],
}

/**
 * What a field would have to be, as words that follow its name; `undefined` where the schema says nothing short. It is made of the
 * schema alone, never of the caller's value.
 */
export function expectedOf(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case "invalid_value":
      return oneOf(issue.values.map(String))
    case "invalid_type":
      return TYPES[issue.expected]
    case "too_big":
      return bounded(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)
    case "too_small":
      return bounded(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)
    default:
      return undefined
  }
}

function oneOf(values: readonly string[]): string | undefined {
  const [only, ...others] = values
  if (only !== undefined && others.length === 0) return `must be ${only}`
  const list = values.join(", ")
  return list.length <= MAX_LISTED ? `must be one of ${list}` : undefined
}

function bounded(origin: string, compared: string, bound: number | bigint): string | undefined {
  const units = UNITS[origin]
  if (units === undefined) return undefined
  const unit = units[Number(bound) === 1 ? 0 : 1]
  return `must ${unit === "" ? "be" : "have"} ${compared} ${bound}${unit}`
}
