import type { Secrets } from "./secrets.ts"
import { cutToCodePoints } from "./text-schema.ts"

/** What masks a text before it is stored. */
export type TextMask = Pick<Secrets, "redactor">

/** A caller's text as it is stored: secrets masked, and again at most `max` code points, for a mask may be longer (spec kernel.md §12). */
export function storedText(secrets: TextMask, text: string, max: number): string {
  return cutToCodePoints(secrets.redactor().redactText(text).text, max)
}

/** Whether a text is or holds one of Holdfast's own credentials. */
export function holdsOwnSecret(secrets: TextMask, text: string): boolean {
  return secrets.redactor().redactText(text).names.includes(OWN_SECRET)
}

/** NAME of the mask of Holdfast's own credentials. */
const OWN_SECRET = "holdfast_token"
