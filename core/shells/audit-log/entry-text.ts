import { cutText } from "../../kernel/budget/cut-text.ts"
import type { Literal, Redactor } from "../../kernel/redaction/redactor.ts"
import { cutToCodePoints } from "../../kernel/text-schema.ts"

/** Longest stream of an entry, UTF-16 units without the mark of what was left out (spec shells.md §13). */
export const MAX_VIEW = 4_096
/** Longest command of an entry, characters. */
export const MAX_COMMAND = 2_000

/** When an entry is written, ms, and what masks it. */
export interface EntryContext {
  readonly at: number
  readonly redactor: Redactor
}

/** Makes the parts of an entry: each is masked before it is cut, because a mask must not depend on where that happens. */
export interface EntryWriter {
  /** A command's text, at most `MAX_COMMAND` characters. */
  command(text: string): string
  /** A result with both streams cut; what only a waiting call needs is left out. */
  result<Result extends ShownResult>(result: Result): Omit<Result, "observation_token">
  /** The entry as JSON without line break. */
  entry(event: string, facts: object): string
}

interface ShownResult {
  readonly stdout: string
  readonly stderr: string
  readonly observation_token?: string | undefined
}

/** A writer of entries that all say `common` (spec shells.md §13); `secrets` are masked in them besides the registered ones. */
export function entryWriter(
  { at, redactor }: EntryContext,
  { common, secrets }: { readonly common: object; readonly secrets: readonly Literal[] },
): EntryWriter {
  const masking = redactor.with(secrets)
  const masked = (text: string): string => masking.redactText(text).text
  const view = (text: string): string => {
    const whole = masked(text)
    return whole.length <= MAX_VIEW ? whole : cutText(whole, MAX_VIEW).text
  }
  return {
    command(text) {
      const whole = masked(text)
      const shown = cutToCodePoints(whole, MAX_COMMAND)
      return shown === whole ? whole : `${shown}…`
    },
    result({ observation_token: _, ...result }) {
      return { ...result, stdout: view(result.stdout), stderr: view(result.stderr) }
    },
    entry(event, facts) {
      const whole = { ts: at, event, ...common, ...facts }
      return JSON.stringify(masking.redactValue(whole, { verbatim: ["session", "job_id"] }).value)
    },
  }
}
