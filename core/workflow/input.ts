import { z } from "zod"
import { sessionIdSchema } from "../kernel/ids.ts"
import { codePoints, textSchema } from "../kernel/text-schema.ts"
import { absolutePathSchema } from "../projects/path-schema.ts"
import { executionContextInputSchema } from "../sessions/context.ts"

const MAX_INSTRUCTION = 4000
const MAX_REF_BYTES = 1024

/** 1..4000 characters after trimming, which the handler does: schemas have no transforms (spec workflow.md §2.1). */
const instructionSchema = textSchema(1, 2 * MAX_INSTRUCTION).check((context) => {
  const input = context.value
  const length = codePoints(input.trim())
  if (length < 1) context.issues.push({ code: "too_small", origin: "string", minimum: 1, inclusive: true, input })
  if (length > MAX_INSTRUCTION && codePoints(input) <= 2 * MAX_INSTRUCTION) {
    context.issues.push({ code: "too_big", origin: "string", maximum: MAX_INSTRUCTION, inclusive: true, input })
  }
})

const baseRefSchema = textSchema(1, MAX_REF_BYTES).check((context) => {
  const input = context.value
  if (Buffer.byteLength(input, "utf8") > MAX_REF_BYTES) {
    context.issues.push({ code: "too_big", origin: "string", maximum: MAX_REF_BYTES, inclusive: true, input })
  } else if (input.includes("\0") || input.startsWith("-")) {
    context.issues.push({ code: "invalid_format", format: "git_ref", input })
  }
})

/** Input of `work_on_project` (spec workflow.md §2.1). Which sources go together is `decideSource`'s rule. */
export const workInputSchema = z.strictObject({
  project: textSchema(1, 64).describe("Project slug.").optional(),
  client_id: textSchema(1, 128).describe("Runner of path; local for this machine.").optional(),
  path: absolutePathSchema.describe("Absolute path of a directory, with client_id.").optional(),
  worktree_id: z
    .string()
    .regex(/^wc_wt_[0-9a-f]{32}$/)
    .describe("Managed worktree to adopt, with mode worktree.")
    .optional(),
  mode: z.enum(["checkout", "worktree"]).default("checkout").describe("Where to work: in place, or in a worktree."),
  base_ref: baseRefSchema.describe("Commit that a new worktree starts from.").optional(),
  instruction: instructionSchema.describe("What is to be done, 1 to 4000 characters."),
  session_id: sessionIdSchema.describe("Session to continue; left out: a new one.").optional(),
  session_mode: z.enum(["normal", "read_only"]).describe("New ones are normal, continued ones keep theirs.").optional(),
  execution_context: executionContextInputSchema
    .describe(
      "Defaults of commands: default_cwd (relative to the root), default_shell, resource (SSH); replaces the whole, {} clears.",
    )
    .optional(),
  include_project_instructions: z.boolean().default(true).describe("With instruction files."),
  include_workflow_guidance: z.boolean().default(true).describe("With workflow guidance."),
  include_extension_catalog: z.boolean().default(true).describe("With skills and memory."),
  guidance_profile: z.enum(["direct"]).default("direct").describe("Guidance profile."),
})
/** A parsed `workInputSchema`. */
export type WorkInput = z.output<typeof workInputSchema>
