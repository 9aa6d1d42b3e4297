import type { ProjectPk } from "../kernel/ids.ts"
import type { Project } from "./record.ts"

/** Project rows inside one transaction (spec kernel.md §9). */
export interface ProjectStore {
  byPk(pk: ProjectPk): Promise<Project | undefined>
  /** The live registration of a slug, else its newest unregistered one. */
  bySlug(slug: string): Promise<Project | undefined>
  /** The live registration of a real path on a Runner. */
  liveByRoot(clientId: string, root: string): Promise<Project | undefined>
  /** The newest unregistered row of slug, Runner and root, to be revived with its `pk`. */
  retired(slug: string, clientId: string, root: string): Promise<Project | undefined>
  /** Live rows by slug, after `afterSlug`; `query` is a literal, case-insensitive part of slug, title or description. */
  list(filter: {
    readonly slugs: "*" | readonly string[]
    readonly clientId?: string
    readonly query?: string
    readonly afterSlug?: string
    readonly limit: number
  }): Promise<{ readonly projects: readonly Project[]; readonly total: number }>
  /** Live slugs that start with `prefix`, for choosing a free one. */
  slugsFrom(prefix: string): Promise<readonly string[]>
  liveRoots(clientId: string): Promise<readonly { readonly pk: ProjectPk; readonly root: string }[]>
  insert(project: Project): Promise<void>
  /** Replaces the row if its revision is `expectedRevision`; `false` when it is not. */
  update(project: Project, expectedRevision: number): Promise<boolean>
  count(): Promise<number>
}
