import type { z } from "zod"

/** A JSON column's value; throws when the stored text is not of its schema. */
export function fromJson<T>(schema: z.ZodType<T>, text: string): T {
  return schema.parse(JSON.parse(text))
}

/** A JSON column's text, null for an absent value. */
export function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
