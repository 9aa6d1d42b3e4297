import type { z } from "zod"
import { ConfigError } from "../config/config-error.ts"
import { placeOf, wordsOf } from "../config/words.ts"

/** Parses an operator command's input by the domain's own schema. @throws ConfigError naming the flag (exit 2). */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const parsed = schema.safeParse(
    Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
    {
      error: wordsOf,
    },
  )
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new ConfigError(
    `Bad value for ${placeOf(issue?.path ?? []) || "the command"}: it ${issue?.message ?? "is not valid"}.`,
  )
}
