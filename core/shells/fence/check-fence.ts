import { ToolError } from "../../kernel/error.ts"
import { BuiltinRules } from "./builtin-rules.ts"
import type { SimpleCommand } from "./frames.ts"
import { invocationOf } from "./invocation.ts"
import type { FencePolicy } from "./policy.ts"
import { scanCommands } from "./scan-commands.ts"

/** The rules in the order in which they are asked. */
export const FENCE_RULES = ["deny_patterns", "builtin", "deny", "allow"] as const
/** One of `FENCE_RULES`. */
export type FenceRule = (typeof FENCE_RULES)[number]

/** A refusal: which rule, by which program where one can be named, and why as a clause. */
export interface FenceDenial {
  readonly rule: FenceRule
  /** Base name, ≤ 64 characters. */
  readonly program?: string
  readonly because: string
}

/** Every text about the fence says it. */
export const FENCE_IS_ADVISORY = "The fence is advisory: it stops mistakes, not intent; enforcement is confinement"

/**
 * Whether a text may be run (spec shells.md §8): `undefined`, or the refusal of the first rule in order that refuses any
 * command of it. Runs nothing, never throws, linear in the text. Advisory: it stops mistakes, not intent.
 */
export function checkFence(text: string, policy: FencePolicy): FenceDenial | undefined {
  const pattern = patternDenial(text, policy)
  if (pattern !== undefined) return pattern
  if (!policy.builtin && policy.deny.size === 0 && policy.allow.length === 0) return undefined
  let first: FenceDenial | undefined
  const builtin = new BuiltinRules()
  const note = (denial: FenceDenial | undefined): void => {
    if (denial === undefined) return
    if (first === undefined || FENCE_RULES.indexOf(denial.rule) < FENCE_RULES.indexOf(first.rule)) first = denial
  }
  const { complete } = scanCommands(text, (command) => {
    if (first?.rule !== "builtin") note(denialOf(command, policy, builtin))
  })
  if (!complete && policy.allow.length > 0) note({ rule: "allow", because: "the text is nested too deeply to be read" })
  return first
}

/** The same of one program with literal arguments: no shell reads them, so each word is what it is (spec exec-and-jobs.md §2). */
export function checkProgram(argv: readonly string[], policy: FencePolicy): FenceDenial | undefined {
  const words = argv.map((text) => ({ text, literal: true, plainUnits: text.length }))
  const command: SimpleCommand = { words, outputs: [], pipeline: 0, within: undefined }
  return patternDenial(argv.join(" "), policy) ?? denialOf(command, policy, new BuiltinRules())
}

function patternDenial(text: string, { denyPatterns }: FencePolicy): FenceDenial | undefined {
  const found = denyPatterns.findIndex((expression) => expression.test(text))
  return found === -1 ? undefined : { rule: "deny_patterns", because: `pattern ${found + 1} of deny_patterns matches` }
}

/** Throws `fence_denied`; nothing was started (spec shells.md §14). */
export function requireUnfenced(text: string, policy: FencePolicy): void {
  const denial = checkFence(text, policy)
  if (denial !== undefined) throw fenceDenied(denial)
}

/** The refusal as callers get it. */
export function fenceDenied({ rule, program, because }: FenceDenial): ToolError<"fence_denied"> {
  const sentence = `Not run: ${because}. ${FENCE_IS_ADVISORY}. Do it another way, or ask whoever set the rule.`
  return new ToolError("fence_denied", sentence, {
    details: { rule, ...(program === undefined ? {} : { program }) },
    executionState: "not_started",
  })
}

function denialOf(command: SimpleCommand, policy: FencePolicy, builtin: BuiltinRules): FenceDenial | undefined {
  const invocation = invocationOf(command.words)
  const { programs } = invocation
  const harm = policy.builtin ? builtin.refuses(command, invocation) : undefined
  if (harm !== undefined) {
    const program = shown(programs.at(-1) ?? "")
    return { rule: "builtin", program, because: `${program} here ${harm}` }
  }
  const denied = programs.find((program) => program !== undefined && policy.deny.has(program))
  if (denied !== undefined) {
    return { rule: "deny", program: shown(denied), because: `${shown(denied)} stands in a deny list` }
  }
  return policy.allow.length === 0 ? undefined : notAllowed(programs, policy)
}

function notAllowed(programs: readonly (string | undefined)[], { allow }: FencePolicy): FenceDenial | undefined {
  for (const program of programs) {
    if (program === undefined)
      return { rule: "allow", because: "a command word is not literal, and an allow list is set" }
    if (program === "eval" || !allow.every((names) => names.has(program))) {
      const name = shown(program)
      const because =
        name === "eval" ? "eval is never allowed where an allow list is set" : `${name} stands in no allow list`
      return { rule: "allow", program: name, because }
    }
  }
  return undefined
}

/** A name as a sentence can hold it. */
const shown = (program: string): string => program.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "\ufffd").slice(0, 64)
