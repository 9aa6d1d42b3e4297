import { z } from "zod"
import { ToolError } from "../../kernel/error.ts"
import { textSchema } from "../../kernel/text-schema.ts"
import { TEXT_ENCODINGS } from "../encodings.ts"
import { utf8Length } from "../utf8.ts"

/** Bounds of one batch (files-and-git.md §4.1), bytes. */
export const EDIT_LIMITS = { texts: 1024 * 1024, field: 512 * 1024, file: 32 * 1024 * 1024 } as const

const pathField = (description: string) => textSchema(0, 4096).describe(description)
const contentField = (description: string) => textSchema(0, EDIT_LIMITS.field).describe(description)

const editSchema = z.strictObject({
  kind: z.enum(["replace_exact"]).describe("old_text becomes new_text"),
  old_text: textSchema(1, EDIT_LIMITS.field).describe("Exact original text"),
  new_text: contentField("New text; omitted = empty").optional(),
  occurrence: z.int().min(1).max(1_000_000).describe("Which match, from 1; not with all").optional(),
  all: z.boolean().describe("Replace every match").optional(),
})

const changeSchema = z.strictObject({
  kind: z.enum(["edit", "create", "replace"]).describe("edit an existing, create a new, replace a whole file"),
  path: pathField("Path below the Project root"),
  edits: z.array(editSchema).min(1).max(20).describe("edit: exact edits of it").optional(),
  content: contentField("create, replace: whole new text").optional(),
  expected_sha256: z
    .string()
    .regex(/^[0-9a-f]{16,64}$/)
    .describe("edit, replace (required): its hash now, 16+ digits")
    .optional(),
  executable: z.boolean().describe("create: set executable bits").optional(),
  encoding: z.enum(TEXT_ENCODINGS).describe("Omitted = detected, UTF-8 for new content").optional(),
  newlines: z.enum(["adapt", "exact"]).describe("edit: adapt (default) follows its line ends").optional(),
})

/** The `changes` input of `apply_text_edits`. */
export const changesSchema = z.array(changeSchema).min(1).max(16).describe("Changes applied all or none")

/** One change as it was sent. */
export type ChangeInput = z.output<typeof changeSchema>

/** One exact edit as it was sent. */
export type EditInput = z.output<typeof editSchema>

/** An exact edit of an existing file. */
export interface EditChange extends Pick<ChangeInput, "path" | "expected_sha256" | "encoding"> {
  readonly kind: "edit"
  readonly edits: readonly EditInput[]
  readonly newlines: "adapt" | "exact"
}

/** A new file. */
export interface CreateChange extends Pick<ChangeInput, "path" | "encoding"> {
  readonly kind: "create"
  readonly content: string
  readonly executable: boolean
}

/** The whole new content of an existing file. */
export interface ReplaceChange extends Pick<ChangeInput, "path" | "encoding"> {
  readonly kind: "replace"
  readonly content: string
  readonly expected_sha256: string
}

/** A change whose fields fit its kind. */
export type Change = EditChange | CreateChange | ReplaceChange

interface FieldIssue {
  readonly path: string
  readonly code: "required" | "conflict" | "pattern" | "too_big"
}

type Field = Exclude<keyof ChangeInput, "kind" | "path">

const FIELDS: Readonly<Record<ChangeInput["kind"], { required: readonly Field[]; optional: readonly Field[] }>> = {
  edit: { required: ["edits"], optional: ["expected_sha256", "encoding", "newlines"] },
  create: { required: ["content"], optional: ["executable", "encoding"] },
  replace: { required: ["content", "expected_sha256"], optional: ["encoding"] },
}
const ALL_FIELDS: readonly Field[] = ["edits", "content", "expected_sha256", "executable", "encoding", "newlines"]

function fieldIssues(change: ChangeInput, at: string): FieldIssue[] {
  const { required, optional } = FIELDS[change.kind]
  return ALL_FIELDS.flatMap((field): FieldIssue[] => {
    const present = change[field] !== undefined
    if (!present && required.includes(field)) return [{ path: `${at}.${field}`, code: "required" }]
    const allowed = required.includes(field) || optional.includes(field)
    return present && !allowed ? [{ path: `${at}.${field}`, code: "conflict" }] : []
  })
}

const textsOf = (change: ChangeInput, at: string): [string, string][] => [
  ...(change.content === undefined ? [] : [[`${at}.content`, change.content] satisfies [string, string]]),
  ...(change.edits ?? []).flatMap(({ old_text, new_text }, index): [string, string][] => [
    [`${at}.edits[${index}].old_text`, old_text],
    [`${at}.edits[${index}].new_text`, new_text ?? ""],
  ]),
]

function textIssues(change: ChangeInput, at: string): FieldIssue[] {
  return textsOf(change, at).flatMap(([path, text]): FieldIssue[] => {
    if (utf8Length(text) > EDIT_LIMITS.field) return [{ path, code: "too_big" }]
    return text.includes("\0") && !path.endsWith("old_text") ? [{ path, code: "pattern" }] : []
  })
}

function editIssues(change: ChangeInput, at: string): FieldIssue[] {
  return (change.edits ?? []).flatMap(({ occurrence, all }, index): FieldIssue[] =>
    occurrence !== undefined && all === true ? [{ path: `${at}.edits[${index}].occurrence`, code: "conflict" }] : [],
  )
}

function issuesOf(changes: readonly ChangeInput[]): FieldIssue[] {
  const issues = changes.flatMap((change, index) => {
    const at = `changes[${index}]`
    return [...fieldIssues(change, at), ...textIssues(change, at), ...editIssues(change, at)]
  })
  const total = changes.flatMap((change) => textsOf(change, "")).reduce((sum, [, text]) => sum + utf8Length(text), 0)
  return total > EDIT_LIMITS.texts ? [...issues, { path: "changes", code: "too_big" }] : issues
}

const ISSUE_SENTENCES: Readonly<Record<FieldIssue["code"], string>> = {
  required: "is required for this kind of change; add it",
  conflict: "does not belong to this kind of change or excludes another field; leave it out",
  pattern: "holds a NUL character; leave it out",
  too_big: "is larger than this call allows (512 KiB a text, 1 MiB together); split the change",
}

function narrow(change: ChangeInput): Change {
  const { kind, path, edits = [], content = "", expected_sha256 } = change
  const encoding = change.encoding === undefined ? {} : { encoding: change.encoding }
  const hash = expected_sha256 === undefined ? {} : { expected_sha256 }
  if (kind === "edit") return { kind, path, edits, newlines: change.newlines ?? "adapt", ...encoding, ...hash }
  if (kind === "create") return { kind, path, content, executable: change.executable ?? false, ...encoding }
  return { kind, path, content, expected_sha256: expected_sha256 ?? "", ...encoding }
}

/**
 * Checks that each change has exactly the fields of its kind, and the bounds that a schema cannot state.
 * @throws ToolError `invalid_arguments` with every fault.
 */
export function checkChanges(changes: readonly ChangeInput[]): readonly Change[] {
  const issues = issuesOf(changes)
  const [first] = issues
  if (first === undefined) return changes.map(narrow)
  throw new ToolError("invalid_arguments", `\`${first.path}\` ${ISSUE_SENTENCES[first.code]}.`, {
    details: { field: first.path, fields: issues.slice(0, 16).map(({ path, code }) => ({ path, code })) },
  })
}
