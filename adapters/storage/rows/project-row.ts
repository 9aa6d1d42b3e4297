import type { Insertable, Selectable } from "kysely"
import { z } from "zod"
import type { Project } from "../../../core/projects/record.ts"
import type { ProjectsTable } from "../schema.ts"
import { bit } from "./bit.ts"
import { fromJson, toJson } from "./json.ts"

const filePolicySchema = z.object({
  sensitive_allow: z.array(z.string()),
  sensitive_deny: z.array(z.string()),
})

/** The Project of a row. */
export function projectOf(row: Selectable<ProjectsTable>): Project {
  return {
    pk: row.pk,
    slug: row.slug,
    clientId: row.client_id,
    root: row.root,
    kind: row.kind,
    gitAboveRoot: row.git_above_root === 1,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.title !== null && { title: row.title }),
    ...(row.description !== null && { description: row.description }),
    ...(row.file_policy_json !== null && { filePolicy: fromJson(filePolicySchema, row.file_policy_json) }),
    ...(row.unregistered_at !== null && { unregisteredAt: row.unregistered_at }),
  }
}

/** The row of a Project. */
export function projectRow(project: Project): Insertable<ProjectsTable> {
  return {
    pk: project.pk,
    slug: project.slug,
    client_id: project.clientId,
    root: project.root,
    title: project.title ?? null,
    description: project.description ?? null,
    kind: project.kind,
    file_policy_json: toJson(project.filePolicy),
    git_above_root: bit(project.gitAboveRoot),
    revision: project.revision,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    unregistered_at: project.unregisteredAt ?? null,
  }
}
