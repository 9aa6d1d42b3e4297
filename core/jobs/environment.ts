import { ToolError } from "../kernel/error.ts"

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

/**
 * The environment a caller adds (spec shells.md §7). Throws `env_name_reserved`, and `invalid_arguments` where it is too
 * large in all or holds NUL.
 */
export function checkedEnvironment(
  env: readonly { readonly name: string; readonly value: string }[],
): readonly { readonly name: string; readonly value: string }[] {
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
