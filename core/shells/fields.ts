import { z } from "zod"
import { checkedText, environmentSchema, invalidField } from "../jobs/environment.ts"
import { compileBudget, type OutputBudget } from "../jobs/output/budget.ts"
import { type BudgetInput, budgetInput } from "../jobs/output/budget-input.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Shell } from "./record.ts"

const MAX_STDIN_BYTES = 65_536
const MAX_PATH_BYTES = 4096

/** Fields of a command that both families take. */
export const commandFields = {
  budget: budgetInput.optional(),
  streams: z.enum(["split", "merged"]).describe("merged: exact order.").optional(),
  stdin: textSchema(0, MAX_STDIN_BYTES).describe("Its input.").optional(),
  tty: z.boolean().describe("On a terminal.").optional(),
  sync_wait_secs: z.int().min(0).max(600).describe("Seconds to wait before it goes on as a Job.").optional(),
}

/** Fields of an opening that both families take. */
export const openFields = {
  cwd: textSchema(1, MAX_PATH_BYTES).describe("Where it starts.").optional(),
  shell: z.enum(["bash", "sh"]).describe("Default bash.").optional(),
  env: environmentSchema.describe("Added variables.").optional(),
  output_budget: budgetInput.describe("budget of commands that name none.").optional(),
  on_exit: z.enum(["restore", "close"]).describe("When the shell ends; default restore.").optional(),
}

/** Text of a command without NUL, of at most `max` bytes. Throws `invalid_arguments`. */
export const commandText = (text: string, max: number): string => checkedText("command", text, max)

/** The text for a command's input. Throws `invalid_arguments`. */
export const stdinText = (text: string): string => checkedText("stdin", text, MAX_STDIN_BYTES)

/** A start directory. Throws `invalid_arguments`. */
export const cwdText = (text: string): string => checkedText("cwd", text, MAX_PATH_BYTES)

/** A budget whose shape no schema has checked yet. Throws `invalid_arguments`. */
export function checkedBudget(value: object | undefined): BudgetInput | undefined {
  if (value === undefined) return undefined
  const parsed = budgetInput.safeParse(value)
  if (parsed.success) return parsed.data
  const field = ["output_budget", ...(parsed.error.issues[0]?.path ?? [])].join(".")
  throw invalidField(field, "format", `${field} is not as the budget of session_exec. Correct it.`)
}

/** A shell's default budget as its row keeps it, checked. Throws `budget_invalid`. */
export function budgetJson(input: BudgetInput | undefined): string | undefined {
  if (input === undefined) return undefined
  compileBudget(input)
  return JSON.stringify(input)
}

/** The budget of a command: its own, else its shell's (spec shells.md §4.4). Throws `budget_invalid`. */
export function budgetOf(
  { outputBudgetJson }: Pick<Shell, "outputBudgetJson">,
  input: BudgetInput | undefined,
): OutputBudget | undefined {
  if (input !== undefined) return compileBudget(input)
  return outputBudgetJson === undefined ? undefined : compileBudget(budgetInput.parse(JSON.parse(outputBudgetJson)))
}
