import { type Expression, expressionBuilder, type SqlBool } from "kysely"
import type { Schema } from "../schema.ts"

/** The tables of lists as far as they are alike. */
interface Listed {
  readonly rows: Readonly<Record<"job_id" | "session_id", string>> &
    Readonly<Record<"created_at" | "updated_at", number>> & { readonly project_pk: string | null }
  readonly projects: Schema["projects"]
}

/** Rows of no Project, or of one of these slugs. */
export function ofSlugs(slugs: readonly string[]): Expression<SqlBool> {
  const where = expressionBuilder<Listed, "rows">()
  const named = where
    .selectFrom("projects")
    .select("pk")
    .where("slug", "in", [...slugs])
  return where.or([where("project_pk", "is", null), where("project_pk", "in", named)])
}

/** A place in a list, newest first: the time that orders it, then the id. */
export interface ListPlace {
  readonly time: readonly [column: "created_at" | "updated_at", at: number]
  readonly id: readonly [column: "job_id" | "session_id", id: string]
}

/** Rows after a place in a list. The first condition is implied by the second; it is what an index can start from. */
export function following({ time: [time, at], id: [key, id] }: ListPlace): Expression<SqlBool> {
  const where = expressionBuilder<Listed, "rows">()
  return where.and([where(time, "<=", at), where.or([where(time, "<", at), where(key, ">", id)])])
}
