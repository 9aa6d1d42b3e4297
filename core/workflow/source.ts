import { ToolError } from "../kernel/error.ts"

/** The members of `work_on_project`'s input that say where the work is (spec workflow.md §2.1). */
export interface SourceFields {
  readonly project?: string | undefined
  readonly client_id?: string | undefined
  readonly path?: string | undefined
  readonly worktree_id?: string | undefined
  readonly mode: "checkout" | "worktree"
  readonly base_ref?: string | undefined
  readonly session_id?: string | undefined
}

/** Where the work is: a Project by name, a directory of a Runner, or the Project of the Session that is resumed. */
export type WorkSource =
  | { readonly kind: "project" }
  | { readonly kind: "session" }
  | { readonly kind: "path"; readonly clientId: string; readonly path: string }
  | { readonly kind: "worktree" }

type Field = "base_ref" | "client_id" | "mode" | "path" | "project" | "worktree_id"

function conflict(fields: readonly Field[]): ToolError<"invalid_arguments"> {
  const conflicting = [...fields].sort()
  return new ToolError(
    "invalid_arguments",
    `These fields exclude each other: ${conflicting.join(", ")}. Name the work by project, or by client_id and path.`,
    {
      details: {
        ...(conflicting[0] === undefined ? {} : { field: conflicting[0] }),
        fields: conflicting.map((path) => ({ path, code: "conflict" })),
        conflicting_fields: conflicting,
      },
    },
  )
}

function missing(field: Field): ToolError<"invalid_arguments"> {
  return new ToolError(
    "invalid_arguments",
    `The field ${field} is missing. Name the work by project, or by client_id and path.`,
    {
      details: { field, fields: [{ path: field, code: "required" }], missing_fields: [field] },
    },
  )
}

/** Fields of the first group that is named, and of every other one: more than one group is a conflict. */
function requireOneGroup(input: SourceFields): void {
  const groups: readonly (readonly Field[])[] = [["project"], ["client_id", "path"], ["worktree_id"]]
  const named = groups
    .map((group) => group.filter((field) => input[field] !== undefined))
    .filter((group) => group.length > 0)
  if (named.length > 1) throw conflict(named.flat())
}

/** Which fields fit `mode`: a worktree is made of a directory or adopted by id, never named by Project. */
function requireModeFits(input: SourceFields): void {
  const { mode, project, worktree_id, base_ref } = input
  if (mode === "worktree" && project !== undefined) throw conflict(["mode", "project"])
  if (mode === "checkout" && worktree_id !== undefined) throw conflict(["mode", "worktree_id"])
  if (mode === "checkout" && base_ref !== undefined) throw conflict(["base_ref", "mode"])
}

/**
 * The source rule (spec workflow.md §2.1): exactly one of `project`, `client_id` with `path`, `worktree_id`; with
 * `session_id` and `checkout` none is needed.
 * @throws ToolError `invalid_arguments` with sorted `conflicting_fields` or `missing_fields`
 */
export function decideSource(input: SourceFields): WorkSource {
  requireOneGroup(input)
  requireModeFits(input)
  const { mode, project, client_id: clientId, path, worktree_id, session_id } = input
  if (worktree_id !== undefined) return { kind: "worktree" }
  if (clientId !== undefined && path === undefined) throw missing("path")
  if (clientId === undefined && path !== undefined) throw missing("client_id")
  if (clientId !== undefined && path !== undefined) {
    return mode === "worktree" ? { kind: "worktree" } : { kind: "path", clientId, path }
  }
  if (project !== undefined) return { kind: "project" }
  if (session_id !== undefined && mode === "checkout") return { kind: "session" }
  throw missing(mode === "worktree" ? "path" : "project")
}

/** Whether the input names a directory or a worktree: only that may register a Project (spec workflow.md §2.2 row 12). */
export function namesDirectory(input: SourceFields): boolean {
  return input.path !== undefined || input.client_id !== undefined || namesWorktree(input)
}

/** Whether the input asks for a worktree. */
export function namesWorktree(input: SourceFields): boolean {
  return input.mode === "worktree" || input.worktree_id !== undefined
}
