import type { Credential, User } from "./store.ts"

/** A credential in outputs: its row without the hash (spec doors.md §2.1). Times are ms. */
export interface CredentialView {
  readonly id: string
  readonly kind: string
  readonly principal_id: string
  readonly hint: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly projects?: readonly string[]
  readonly mode?: string
  readonly created_at: number
  readonly expires_at?: number
  readonly last_used_at?: number
  readonly revoked_at?: number
  readonly revoked_reason?: string
}

/** A user in outputs. Times are ms. */
export interface UserView {
  readonly name: string
  readonly projects: readonly string[]
  readonly scopes: readonly string[]
  readonly created_at: number
  readonly disabled_at?: number
}

/** The row of a credential as the operator sees it: everything but the hash. */
export function credentialView(credential: Credential): CredentialView {
  const { projects, mode, expiresAt, lastUsedAt, revokedAt, revokedReason } = credential
  return {
    id: credential.id,
    kind: credential.kind,
    principal_id: credential.principalId,
    hint: credential.hint,
    name: credential.name,
    scopes: credential.scopes,
    ...(projects === undefined ? {} : { projects }),
    ...(mode === undefined ? {} : { mode }),
    created_at: credential.createdAt,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(lastUsedAt === undefined ? {} : { last_used_at: lastUsedAt }),
    ...(revokedAt === undefined ? {} : { revoked_at: revokedAt }),
    ...(revokedReason === undefined ? {} : { revoked_reason: revokedReason }),
  }
}

/** The row of a user as the operator sees it. */
export function userView(user: User): UserView {
  return {
    name: user.name,
    projects: user.projects === "*" ? ["*"] : user.projects,
    scopes: user.scopes,
    created_at: user.createdAt,
    ...(user.disabledAt === undefined ? {} : { disabled_at: user.disabledAt }),
  }
}
