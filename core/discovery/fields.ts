import { z } from "zod"
import { SCOPES } from "../access/scopes.ts"
import { CATEGORIES, EFFECTS, SURFACES } from "../kernel/definition.ts"
import { textSchema } from "../kernel/text-schema.ts"

/** Output fields that discovery tools share. */
export const surfaceSchema = z.enum(SURFACES)
export const surfacesSchema = z.array(surfaceSchema).max(SURFACES.length)
export const scopesSchema = z.array(z.enum(SCOPES)).max(SCOPES.length)
export const toolNameSchema = textSchema(1, 63)
export const effectSchema = z.enum(EFFECTS)
export const reachSchema = z.enum(["direct", "call_read_tool", "call_tool"])

/** Every category a tool can have (spec kernel.md §1). */
export const categorySchema = z.enum(CATEGORIES)
