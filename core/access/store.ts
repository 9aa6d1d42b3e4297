import type { CredentialId } from "../kernel/ids.ts"
import type { AuthorityMode } from "../kernel/permission.ts"
import type { CredentialKind } from "./principal.ts"
import type { Scope } from "./scopes.ts"

/** A named user (table `users`, spec kernel.md §15); a name is never given out twice. */
export interface User {
  readonly name: string
  readonly projects: "*" | readonly string[]
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly disabledAt?: number
}

/** A credential row (spec kernel.md §2.2); the secret itself is stored nowhere, `secretHash` is in no output. */
export interface Credential {
  readonly id: CredentialId
  readonly kind: Exclude<CredentialKind, "stdio" | "embedded">
  readonly principalId: string
  /** SHA-256 hex of the whole secret string. */
  readonly secretHash: string
  /** Last 4 characters of the secret. */
  readonly hint: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** `undefined` = no list of its own. */
  readonly projects?: readonly string[]
  readonly mode?: AuthorityMode
  readonly createdAt: number
  readonly expiresAt?: number
  readonly lastUsedAt?: number
  readonly revokedAt?: number
  readonly revokedReason?: string
}

/** User rows inside the caller's transaction (spec kernel.md §15). */
export interface UserStore {
  byName(name: string): Promise<User | undefined>
  insert(user: User): Promise<void>
  disable(name: string, at: number): Promise<boolean>
  list(): Promise<readonly User[]>
}

/** Credential rows inside the caller's transaction (spec kernel.md §2.2). */
export interface CredentialStore {
  byHash(secretHash: string): Promise<Credential | undefined>
  byId(id: CredentialId): Promise<Credential | undefined>
  insert(credential: Credential): Promise<void>
  /** Newest first; of one principal or kind where given. */
  list(filter: { readonly principalId?: string; readonly kind?: Credential["kind"] }): Promise<readonly Credential[]>
  /** `false` when it was revoked already. */
  revoke(id: CredentialId, at: number, reason: string | undefined): Promise<boolean>
  touch(id: CredentialId, at: number): Promise<void>
  /** Removes revoked and expired rows older than `before` (90 days, spec kernel.md §15). */
  prune(before: number): Promise<number>
}
