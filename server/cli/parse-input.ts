import type { z } from "zod"
import { ConfigError } from "../config/config-error.ts"

/** Parses an operator command's input by the domain's own schema. @throws ConfigError naming the flag (exit 2). */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new ConfigError(
    `Bad value for ${issue?.path.join(".") || "the command"}: ${issue?.message ?? "it is not valid"}.`,
  )
}
