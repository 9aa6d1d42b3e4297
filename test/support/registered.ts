import { createIds } from "../../core/kernel/ids.ts"
import type { Project } from "../../core/projects/record.ts"
import type { Store } from "../../core/store.ts"

/** Stores a live registration of `slug` on this machine, by default of a root that does not exist. */
export async function registered(
  store: Store,
  slug: string,
  { root = `/nowhere/${slug}`, at = 1 }: { readonly root?: string; readonly at?: number } = {},
): Promise<Project> {
  const project: Project = {
    pk: createIds().projectPk(),
    slug,
    clientId: "local",
    root,
    kind: "registered",
    gitAboveRoot: false,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  }
  await store.write((tx) => tx.projects.insert(project))
  return project
}
