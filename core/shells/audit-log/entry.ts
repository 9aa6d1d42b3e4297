import { cutText } from "../../kernel/budget/cut-text.ts"
import { learnedLiterals } from "../../kernel/redaction/learned.ts"
import type { Redactor } from "../../kernel/redaction/redactor.ts"
import { cutToCodePoints } from "../../kernel/text-schema.ts"
import type { AuditedShell, ShellHappening } from "./command-log.ts"

/** Longest stream of an entry, UTF-16 units without the mark of what was left out (spec shells.md §13). */
export const MAX_VIEW = 4_096
/** Longest command of an entry, characters. */
export const MAX_COMMAND = 2_000

/** The entries of one happening as JSON texts, masked and bounded (spec shells.md §13). */
export function entriesOf(
  shell: AuditedShell,
  happening: ShellHappening,
  { at, redactor }: { readonly at: number; readonly redactor: Redactor },
): readonly string[] {
  const masking = redactor.with("command" in happening ? learnedLiterals(happening.command) : [])
  // Before anything is cut: a mask must not depend on where that happens.
  const masked: Masked = (text) => masking.redactText(text).text
  const entry = (event: ShellHappening["event"], facts: object): string => {
    const { shellId, family, target } = shell
    const whole = { ts: at, event, session: shellId, family, transport: target.kind, ...facts }
    return JSON.stringify(masking.redactValue(whole, { verbatim: ["session", "job_id"] }).value)
  }
  return factsOf(happening, masked).map(([event, facts]) => entry(event, facts))
}

type Masked = (text: string) => string
type Facts = readonly [event: ShellHappening["event"], facts: object]

function factsOf(happening: ShellHappening, masked: Masked): readonly Facts[] {
  switch (happening.event) {
    case "exec": {
      const { result, command } = happening
      const { observation_token: _, shell_restarted: restarted, stdout, stderr, ...rest } = result
      const exec = {
        command: shownCommand(masked(command)),
        ...rest,
        stdout: view(masked(stdout)),
        stderr: view(masked(stderr)),
      }
      return restarted === undefined
        ? [["exec", exec]]
        : [
            ["exec", exec],
            ["restart", { job_id: result.job_id, ...restarted }],
          ]
    }
    case "blocked": {
      const { event, command, ...facts } = happening
      return [[event, { command: shownCommand(masked(command)), ...facts }]]
    }
    case "restart":
      return [["restart", happening.restart]]
    default: {
      const { event, ...facts } = happening
      return [[event, facts]]
    }
  }
}

const view = (text: string): string => (text.length <= MAX_VIEW ? text : cutText(text, MAX_VIEW).text)

function shownCommand(command: string): string {
  const shown = cutToCodePoints(command, MAX_COMMAND)
  return shown === command ? command : `${shown}…`
}
