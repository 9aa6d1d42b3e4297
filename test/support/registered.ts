import { createIds } from "../../core/kernel/ids.ts"
import type { Project } from "../../core/projects/record.ts"
import type { Store } from "../../core/store.ts"

/** Stores a live registration of `slug` on this machine, whose root need not exist. */
export async function registered(store: Store, slug: string, at = 1): Promise<Project> {
  const project: Project = {
    pk: createIds().projectPk(),
    slug,
    clientId: "local",
    root: `/nowhere/${slug}`,
    kind: "registered",
    gitAboveRoot: false,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  }
  await store.write((tx) => tx.projects.insert(project))
  return project
}
