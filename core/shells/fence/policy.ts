import { RE2JS, RE2JSException } from "re2js"
import { z } from "zod"
import { labelSchema, textSchema } from "../../kernel/text-schema.ts"

const MAX_ENTRIES = 64
const MAX_NAME = 64
const MAX_PATTERN = 1_024

/** Names of programs that a shell may run (`allow`) or may not (`deny`), spec shells.md §8. */
export const programNamesSchema = z
  .array(labelSchema(1, MAX_NAME).regex(/^[^/]+$/, "must be a program's name without a directory"))
  .max(MAX_ENTRIES)

/** A regular expression of the RE2 class that refuses a text in which it is found. */
const patternSchema = textSchema(1, MAX_PATTERN).check((context) => {
  const fault = patternFault(context.value)
  if (fault !== undefined) context.issues.push({ code: "custom", message: fault, input: context.value })
})

/** The operator's file (`fence_file`), strict (spec shells.md §8). */
export const fenceFileSchema = z.strictObject({
  allow: programNamesSchema.default([]),
  deny: programNamesSchema.default([]),
  deny_patterns: z.array(patternSchema).max(MAX_ENTRIES).default([]),
  builtin: z.boolean().default(false),
})

/** What the operator's file says. */
export type FenceRules = z.infer<typeof fenceFileSchema>

/** What one shell adds when it is opened. */
export const shellFenceSchema = z.strictObject({
  allow: programNamesSchema.default([]),
  deny: programNamesSchema.default([]),
})

/** What one shell adds. */
export type ShellFence = z.infer<typeof shellFenceSchema>

/** The fence of one shell, ready to check texts with. */
export interface FencePolicy {
  readonly denyPatterns: readonly RE2JS[]
  readonly builtin: boolean
  readonly deny: ReadonlySet<string>
  /** A program has to stand in each of them. */
  readonly allow: readonly ReadonlySet<string>[]
}

/** Refuses nothing. */
export const NO_FENCE: FencePolicy = { denyPatterns: [], builtin: false, deny: new Set(), allow: [] }

/** Compiles the operator's rules, once at start. */
export function operatorFence(rules: FenceRules): FencePolicy {
  return {
    denyPatterns: rules.deny_patterns.map((pattern) => RE2JS.compile(pattern, RE2JS.MULTILINE)),
    builtin: rules.builtin,
    deny: new Set(rules.deny),
    allow: allowLists(rules.allow),
  }
}

/** Adds what a shell brought along: it can only narrow what the operator allows. */
export function withShellFence(operator: FencePolicy, shell: ShellFence | undefined): FencePolicy {
  if (shell === undefined) return operator
  return {
    ...operator,
    deny: new Set([...operator.deny, ...shell.deny]),
    allow: [...operator.allow, ...allowLists(shell.allow)],
  }
}

/** An empty list allows every program. */
const allowLists = (names: readonly string[]): readonly ReadonlySet<string>[] =>
  names.length === 0 ? [] : [new Set(names)]

function patternFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern, RE2JS.MULTILINE)
    return undefined
  } catch (error) {
    if (error instanceof RE2JSException) return "is not a regular expression of the RE2 class"
    throw error
  }
}
