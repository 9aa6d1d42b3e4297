import type { Insertable, Selectable } from "kysely"
import { z } from "zod"
import { scopeSchema } from "../../../core/access/scopes.ts"
import type { User } from "../../../core/access/store.ts"
import type { UsersTable } from "../schema.ts"
import { fromJson } from "./json.ts"

const projectsSchema = z.union([z.literal("*"), z.array(z.string())])
const scopesSchema = z.array(scopeSchema)

/** The user of a row. */
export function userOf(row: Selectable<UsersTable>): User {
  return {
    name: row.name,
    projects: fromJson(projectsSchema, row.projects_json),
    scopes: fromJson(scopesSchema, row.scopes_json),
    createdAt: row.created_at,
    ...(row.disabled_at !== null && { disabledAt: row.disabled_at }),
  }
}

/** The row of a user. */
export function userRow(user: User): Insertable<UsersTable> {
  return {
    name: user.name,
    projects_json: JSON.stringify(user.projects),
    scopes_json: JSON.stringify(user.scopes),
    created_at: user.createdAt,
    disabled_at: user.disabledAt ?? null,
  }
}
