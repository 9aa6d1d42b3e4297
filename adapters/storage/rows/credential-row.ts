import type { Insertable, Selectable } from "kysely"
import { z } from "zod"
import { scopeSchema } from "../../../core/access/scopes.ts"
import type { Credential } from "../../../core/access/store.ts"
import type { CredentialsTable } from "../schema.ts"
import { fromJson, toJson } from "./json.ts"

const scopesSchema = z.array(scopeSchema)
const projectsSchema = z.array(z.string())

/** The credential of a row. */
export function credentialOf(row: Selectable<CredentialsTable>): Credential {
  return {
    id: row.id,
    kind: row.kind,
    principalId: row.principal_id,
    secretHash: row.secret_hash,
    hint: row.hint,
    name: row.name,
    scopes: fromJson(scopesSchema, row.scopes_json),
    createdAt: row.created_at,
    ...(row.projects_json !== null && { projects: fromJson(projectsSchema, row.projects_json) }),
    ...(row.mode !== null && { mode: row.mode }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.revoked_reason !== null && { revokedReason: row.revoked_reason }),
  }
}

/** The row of a credential. */
export function credentialRow(credential: Credential): Insertable<CredentialsTable> {
  return {
    id: credential.id,
    kind: credential.kind,
    principal_id: credential.principalId,
    secret_hash: credential.secretHash,
    hint: credential.hint,
    name: credential.name,
    scopes_json: JSON.stringify(credential.scopes),
    projects_json: toJson(credential.projects),
    mode: credential.mode ?? null,
    oauth_client_id: null,
    created_at: credential.createdAt,
    expires_at: credential.expiresAt ?? null,
    last_used_at: credential.lastUsedAt ?? null,
    revoked_at: credential.revokedAt ?? null,
    revoked_reason: credential.revokedReason ?? null,
  }
}
