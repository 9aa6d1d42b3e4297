import type { ProjectPk } from "../kernel/ids.ts"

/** Longest title, in code points (spec kernel.md §9). */
export const MAX_PROJECT_TITLE = 120
/** Longest description, in code points. */
export const MAX_PROJECT_DESCRIPTION = 500

/** Globs an operator sets for one Project (spec files-and-git.md §1.2); deny beats allow beats the built-in list. */
export interface FilePolicy {
  readonly sensitive_allow: readonly string[]
  readonly sensitive_deny: readonly string[]
}

/** A registered root directory with its policy (spec kernel.md §9). */
export interface Project {
  readonly pk: ProjectPk
  readonly slug: string
  readonly clientId: string
  /** Real path at registration. */
  readonly root: string
  readonly title?: string
  readonly description?: string
  readonly kind: "registered" | "managed_worktree"
  readonly filePolicy?: FilePolicy
  readonly gitAboveRoot: boolean
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
  /** Set when the registration ended; the row stays for ever. */
  readonly unregisteredAt?: number
}
