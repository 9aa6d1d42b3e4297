import { ToolError } from "../kernel/error.ts"

/** What a caller may write for a commit (files-and-git.md §5.1); it can never be read as an option. */
export const REVISION_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._/@{}~^+-]{0,199}$/

/**
 * Checks a revision before git sees it.
 * @throws ToolError `invalid_arguments` naming the field.
 */
export function checkRevision(field: string, text: string): string {
  if (REVISION_PATTERN.test(text)) return text
  throw new ToolError(
    "invalid_arguments",
    `The field ${field} is no revision; send a commit id, branch, tag or HEAD~n.`,
    {
      details: { field },
    },
  )
}

/** Whether a text is a full object id. */
export const isObjectId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
