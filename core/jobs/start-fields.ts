import { z } from "zod"
import { sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { checkedEnvironment, checkedText, environmentSchema, invalidField } from "./environment.ts"
import type { Execution } from "./execute.ts"
import { compileBudget } from "./output/budget.ts"
import { budgetInput } from "./output/budget-input.ts"

const MAX_STDIN_BYTES = 65_536
const MAX_PATH_BYTES = 4096
const MAX_COMMAND_BYTES = 16_000
const MAX_EXECUTABLE_BYTES = 1024
const MAX_ARGUMENT_BYTES = 8192
const MAX_ARGV_BYTES = 16_000
const MAX_ARGUMENTS = 256

/** What every starting tool is aimed at. */
export const targetFields = {
  project: textSchema(1, 64).describe("Project slug."),
  session_id: sessionIdSchema.describe("Its Session; defaults hold.").optional(),
}

/** What every starting tool takes beside its command (spec exec-and-jobs.md §2). */
export const commonFields = {
  cwd: textSchema(1, MAX_PATH_BYTES).describe("Relative to the Project root.").optional(),
  env: environmentSchema.describe("Added.").optional(),
  stdin: textSchema(0, MAX_STDIN_BYTES).describe("Its input.").optional(),
  budget: budgetInput.optional(),
  background: z.enum(["end", "keep"]).default("end").describe("To do with processes it leaves."),
  purpose: z
    .enum(["validation", "test", "build", "format", "release", "diagnostic", "operation", "other"])
    .describe("Label in the record.")
    .optional(),
}

/** Shell text and its shell. */
export const shellFields = {
  command: textSchema(1, MAX_COMMAND_BYTES).describe("Shell text."),
  shell: z.enum(["sh", "bash"]).describe("Default bash.").optional(),
}

/** One program and its literal arguments. */
export const programFields = {
  executable: textSchema(1, MAX_EXECUTABLE_BYTES).describe("Name or path."),
  args: z.array(textSchema(0, MAX_ARGUMENT_BYTES)).max(MAX_ARGUMENTS).default([]).describe("Arguments."),
}

/** The words of a script. */
export const argumentsField = z
  .array(textSchema(0, MAX_ARGUMENT_BYTES))
  .max(MAX_ARGUMENTS)
  .default([])
  .describe("Arguments.")

/** Where a command may be routed to. */
export const resourceField = textSchema(1, 80).describe("Named resource.").optional()

/** How long the call waits at most. */
export const syncWaitField = z.int().min(0).max(600).describe("Seconds to wait before it goes on as a Job.").optional()

/** Life of the process; `max` and `byDefault` in seconds. */
export function timeoutField(max: number, byDefault: number) {
  return z.int().min(1).max(max).default(byDefault).describe("Seconds until it is ended.")
}

type Common = z.output<z.ZodObject<typeof commonFields>>

/** The checked common inputs. Throws `env_name_reserved`, `invalid_arguments`, `budget_invalid`; nothing was started. */
export function commonOf(
  input: Common & { readonly timeout_secs: number },
  defaultTimeoutSecs: number,
): Omit<Execution, "kind" | "command"> {
  return {
    cwd: checkedText("cwd", input.cwd ?? ".", MAX_PATH_BYTES),
    env: checkedEnvironment(input.env ?? []),
    ...(input.stdin === undefined ? {} : { stdin: checkedText("stdin", input.stdin, MAX_STDIN_BYTES) }),
    timeoutMs: input.timeout_secs * 1000,
    defaultTimeoutMs: defaultTimeoutSecs * 1000,
    background: input.background,
    ...(input.budget === undefined ? {} : { budget: compileBudget(input.budget) }),
    ...(input.purpose === undefined ? {} : { purpose: input.purpose }),
  }
}

/** How long the call may wait, where its caller said so. */
export function syncWaitOf({ sync_wait_secs }: { readonly sync_wait_secs?: number | undefined }): Partial<Execution> {
  return sync_wait_secs === undefined ? {} : { syncWaitMs: sync_wait_secs * 1000 }
}

/** Shell text as a command. Throws `invalid_arguments`. */
export function shellCommand(input: z.output<z.ZodObject<typeof shellFields>>): Execution["command"] {
  return {
    kind: "shell",
    text: checkedText("command", input.command, MAX_COMMAND_BYTES),
    ...(input.shell === undefined ? {} : { shell: input.shell }),
  }
}

/** A program and its arguments as a command. Throws `invalid_arguments`. */
export function programCommand({
  executable,
  args,
}: z.output<z.ZodObject<typeof programFields>>): Execution["command"] {
  checkedText("executable", executable, MAX_EXECUTABLE_BYTES)
  const bytes = checkedArguments(args) + Buffer.byteLength(executable)
  if (bytes <= MAX_ARGV_BYTES) return { kind: "process", executable, args }
  throw invalidField("args", "too_big", `executable and args exceed ${MAX_ARGV_BYTES} bytes in all. Use run_script.`)
}

/** Bytes of all arguments. Throws `invalid_arguments` for one that is too long or holds NUL. */
export function checkedArguments(args: readonly string[]): number {
  return args.reduce((sum, argument) => sum + Buffer.byteLength(checkedText("args", argument, MAX_ARGUMENT_BYTES)), 0)
}
