import { z } from "zod"
import { SCOPES } from "../access/scopes.ts"
import { textSchema } from "../kernel/text-schema.ts"

const SURFACES = ["coding", "shell", "workflow", "full"] as const

/** Output fields that discovery tools share. */
export const surfaceSchema = z.enum(SURFACES)
export const surfacesSchema = z.array(surfaceSchema).max(SURFACES.length)
export const scopesSchema = z.array(z.enum(SCOPES)).max(SCOPES.length)
export const toolNameSchema = textSchema(1, 63)
export const effectSchema = z.enum(["observe", "mutate", "execute"])
export const reachSchema = z.enum(["direct", "call_read_tool", "call_tool"])

/** Every category a tool can have (spec kernel.md §1). */
export const categorySchema = z.enum([
  "discovery",
  "project",
  "session",
  "message",
  "peer",
  "workflow",
  "validation",
  "exec",
  "job",
  "shell",
  "file",
  "search",
  "edit",
  "git",
  "checkpoint",
  "memory",
  "skill",
  "run",
  "chat",
  "upstream",
  "conversation",
])
