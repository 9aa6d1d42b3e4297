import type { Clock } from "../kernel/clock.ts"
import { ToolError } from "../kernel/error.ts"
import type { Store, Tx } from "../store.ts"
import type { Caller, Principal } from "./principal.ts"
import { authorityOf, localPrincipal } from "./principal.ts"
import type { Scope } from "./scopes.ts"
import { hashSecret, SECRET_PREFIXES, sameHash } from "./secret.ts"
import type { Credential, User } from "./store.ts"

const TOUCH_MS = 60_000

type Reason = "unknown" | "revoked" | "expired" | "disabled"

const SENTENCES: Record<Reason, string> = {
  unknown: "The access token is not known here. Use a token of this server.",
  revoked: "The access token was revoked. Use another token.",
  expired: "The access token has expired. Ask for a new one.",
  disabled: "The user of this access token is disabled. Ask the operator.",
}

function refuse(reason: Reason): never {
  throw new ToolError("unauthenticated", SENTENCES[reason], { details: { reason } })
}

/** A credential with the user it belongs to, as one read saw them. */
interface Presented {
  readonly credential: Credential
  readonly user: User | undefined
}

/** Two looks are one transaction less for who has no user; what is learned of a user is only the newer for it. */
async function lookUp(store: Pick<Store, "readOnce">, hash: string): Promise<Presented | undefined> {
  const credential = await store.readOnce((tx) => tx.credentials.byHash(hash))
  if (credential === undefined || !sameHash(credential.secretHash, hash)) return undefined
  const name = userNameOf(credential)
  return { credential, user: name === undefined ? undefined : await store.readOnce((tx) => tx.users.byName(name)) }
}

async function ownerOf(tx: Tx, credential: Credential): Promise<User | undefined> {
  const name = userNameOf(credential)
  return name === undefined ? undefined : await tx.users.byName(name)
}

const userNameOf = ({ principalId }: Credential): string | undefined => /^user:(.+)$/.exec(principalId)?.[1]

function principalOf({ principalId }: Credential, user: User | undefined): Principal {
  if (principalId === localPrincipal.id) return localPrincipal
  if (user !== undefined) return { kind: "user", id: `user:${user.name}`, name: user.name }
  const grant = /^grant:(.+)$/.exec(principalId)?.[1]
  return grant === undefined ? refuse("unknown") : { kind: "grant", id: `grant:${grant}`, grant }
}

/** Scopes of credential ∩ user now; `admin` of one side satisfies every scope of the other. */
export function commonScopes(one: readonly Scope[], other: readonly Scope[]): ReadonlySet<Scope> {
  if (one.includes("admin")) return new Set(other)
  if (other.includes("admin")) return new Set(one)
  return new Set(one.filter((scope) => other.includes(scope)))
}

/** Projects of user ∩ credential; an absent list is all (spec kernel.md §2.3). */
export function commonProjects(
  user: "*" | readonly string[],
  credential: readonly string[] | undefined,
): "*" | readonly string[] {
  if (credential === undefined) return user
  return user === "*" ? credential : user.filter((slug) => credential.includes(slug))
}

/** The caller that a live credential is; no cache outlives the call (spec kernel.md §2.2, §2.3). */
export function callerOf(credential: Credential, user: User | undefined): Caller {
  const principal = principalOf(credential, user)
  return {
    principal,
    authority: authorityOf(principal),
    credential: {
      kind: credential.kind,
      id: credential.id,
      ...(credential.expiresAt === undefined ? {} : { expiresAt: credential.expiresAt }),
    },
    scopes: user === undefined ? new Set(credential.scopes) : commonScopes(credential.scopes, user.scopes),
    projects: commonProjects(user?.projects ?? "*", credential.projects),
    ...(credential.mode === undefined ? {} : { mode: credential.mode }),
  }
}

/** Order of spec kernel.md §2.2 after the look-up: not revoked, not expired, user not disabled. */
function requireLive({ credential, user }: Presented, now: number): void {
  if (credential.revokedAt !== undefined) refuse("revoked")
  if (credential.expiresAt !== undefined && now >= credential.expiresAt) refuse("expired")
  if (user?.disabledAt !== undefined) refuse("disabled")
}

/**
 * What a caller may do by now, in the caller's transaction: a stored credential is read again, one without a row (stdio,
 * embedded) is what it was. @throws ToolError `unauthenticated` when the credential has ended
 */
export async function currentCaller(tx: Tx, caller: Caller, now: number): Promise<Caller> {
  const { id } = caller.credential
  if (id === undefined) return caller
  const credential = await tx.credentials.byId(id)
  if (credential === undefined) return refuse("unknown")
  const presented = { credential, user: await ownerOf(tx, credential) }
  requireLive(presented, now)
  return callerOf(presented.credential, presented.user)
}

/** Turns a presented bearer secret into its caller. */
export interface Authenticator {
  /** @throws ToolError `unauthenticated` with `details.reason`; `storage_unavailable` */
  authenticate(secret: string): Promise<Caller>
}

/**
 * Authentication over the stored credentials (spec kernel.md §2.2). `last_used_at` moves at most once a minute, outside
 * the call's transactions; failing to note it refuses nobody, `onNoteFailed` hears of it.
 */
export function createAuthenticator(ports: {
  readonly store: Store
  readonly clock: Pick<Clock, "now">
  readonly onNoteFailed: (error: unknown) => void
}): Authenticator {
  const { store, clock } = ports

  async function noteUse(credential: Credential, now: number): Promise<void> {
    const { lastUsedAt } = credential
    if (lastUsedAt !== undefined && now - lastUsedAt < TOUCH_MS && now >= lastUsedAt) return
    await store.write((tx) => tx.credentials.touch(credential.id, now)).catch(ports.onNoteFailed)
  }

  return {
    async authenticate(secret) {
      if (!Object.values(SECRET_PREFIXES).some((prefix) => secret.startsWith(prefix))) refuse("unknown")
      const presented = await lookUp(store, hashSecret(secret))
      if (presented === undefined) return refuse("unknown")
      const now = clock.now()
      requireLive(presented, now)
      const caller = callerOf(presented.credential, presented.user)
      await noteUse(presented.credential, now)
      return caller
    },
  }
}
