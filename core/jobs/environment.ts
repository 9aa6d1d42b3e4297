import { z } from "zod"
import { ToolError } from "../kernel/error.ts"
import { textSchema } from "../kernel/text-schema.ts"

const RESERVED = new Set([
  "MCP_API_URL",
  "MCP_API_TOKEN",
  "MCP_SESSION_ID",
  "BASH_ENV",
  "ENV",
  "PROMPT_COMMAND",
  "SHELLOPTS",
  "BASHOPTS",
  "POSIXLY_CORRECT",
  "TMOUT",
  "PS0",
  "PS1",
  "PS2",
  "BASH_XTRACEFD",
  "HISTFILE",
])

const MAX_VALUE_BYTES = 8192
const MAX_TOTAL_BYTES = 65_536

/** Variables that are added for children, as calls and Project profiles state them (spec shells.md §7). */
export const environmentSchema = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/)
        .describe("Name."),
      value: textSchema(0, MAX_VALUE_BYTES).describe("Value."),
    }),
  )
  .max(64)

/** One variable. */
export type EnvironmentEntry = Readonly<z.infer<typeof environmentSchema>[number]>

/**
 * The environment a caller or a Project's profile adds (spec shells.md §7). Throws `env_name_reserved`, and `invalid_arguments` where it is too
 * large in all or holds NUL.
 */
export function checkedEnvironment(env: readonly EnvironmentEntry[]): readonly EnvironmentEntry[] {
  for (const { name, value } of env) {
    if (RESERVED.has(name) || name.startsWith("HOLDFAST_")) {
      throw new ToolError("env_name_reserved", `The variable ${name} is reserved. Choose another name.`, {
        details: { name },
        executionState: "not_started",
      })
    }
    checkedText("env", value, MAX_VALUE_BYTES)
  }
  const bytes = env.reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0)
  if (bytes > MAX_TOTAL_BYTES) throw invalidField("env", "too_big", "The variables in env exceed 65536 bytes in all.")
  return env
}

/** A text that a process gets: at most `maxBytes` and without NUL. Throws `invalid_arguments`. */
export function checkedText(field: string, text: string, maxBytes: number): string {
  if (text.includes("\0")) throw invalidField(field, "format", `${field} holds NUL. Remove it.`)
  if (Buffer.byteLength(text) <= maxBytes) return text
  throw invalidField(field, "too_big", `${field} is longer than ${maxBytes} bytes. Shorten it.`)
}

/** A fault of one field that its schema cannot state; nothing was started. */
export function invalidField(
  field: string,
  code: "too_big" | "format" | "conflict" | "required",
  sentence: string,
): ToolError<"invalid_arguments"> {
  return new ToolError("invalid_arguments", sentence, {
    details: { field, fields: [{ path: field, code }] },
    executionState: "not_started",
  })
}
