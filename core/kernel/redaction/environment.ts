import type { Literal } from "./literal-forms.ts"

/** Parts of a variable's name that make its value a secret (kernel.md §12); `CREDENTIALS` is one of them. */
const SECRET_NAME = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY|API_KEY|PRIVATE_KEY|CREDENTIALS?)(?:_|$)/i
const MIN_CHARS = 8

/** The variables of an environment that are secrets: a telling part of the name and a value of ≥ 8 characters. */
export function secretsFromEnvironment(env: Readonly<Record<string, string | undefined>>): Literal[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_CHARS && SECRET_NAME.test(name) ? [{ name, value }] : [],
  )
}
