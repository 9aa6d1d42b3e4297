import type { z } from "zod"
import { ConfigError } from "../config/config-error.ts"
import { faultText, wordsOf } from "../config/words.ts"

/** Parses an operator command's input by the domain's own schema. @throws ConfigError naming the flag (exit 2). */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const parsed = schema.safeParse(given, { error: wordsOf })
  if (parsed.success) return parsed.data
  const { path = [], message = "is not valid" } = parsed.error.issues[0] ?? {}
  const [field = "the command", ...within] = path
  throw new ConfigError(`Bad value for ${String(field)}: ${faultText({ path: within, message })}.`)
}
