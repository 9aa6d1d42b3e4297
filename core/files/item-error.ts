import { z } from "zod"
import type { ToolError } from "../kernel/error.ts"
import { RECOVERIES } from "../kernel/errors/row.ts"
import { textSchema } from "../kernel/text-schema.ts"

/** Why one item of a batch failed, while the batch as a whole answers. */
export const itemErrorSchema = z.object({
  kind: textSchema(1, 64).describe("Error kind."),
  message: textSchema(1, 500).describe("Cause and next step."),
  recovery: z.enum(RECOVERIES).describe("Next step."),
  details: z
    .object({
      reason: textSchema(0, 64).optional(),
      type: textSchema(0, 32).optional(),
      size_bytes: z.number().optional(),
      limit_bytes: z.number().optional(),
      sha256: textSchema(0, 64).optional(),
      detected: textSchema(0, 32).optional(),
      errno: textSchema(0, 32).optional(),
      dangling_symlink: z.boolean().optional(),
      did_you_mean: z.array(textSchema(1, 512)).max(3).optional(),
    })
    .describe("Facts of the kind.")
    .optional(),
})

/** One item's error as the batch answers it. */
export type ItemError = z.output<typeof itemErrorSchema>

/** The wire form of an item's error. */
export function itemErrorOf({ kind, message, recovery, details }: ToolError): ItemError {
  return itemErrorSchema.parse({ kind, message, recovery, ...(details === undefined ? {} : { details }) })
}
