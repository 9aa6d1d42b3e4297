import type { Clock } from "../kernel/clock.ts"
import { ToolError } from "../kernel/error.ts"
import type { Ids } from "../kernel/ids.ts"
import { ACCESS_TOPIC, type Signals } from "../kernel/signals.ts"
import { holdsOwnSecret, storedText, type TextMask } from "../kernel/stored-text.ts"
import type { Store, Tx } from "../store.ts"
import {
  type AddUser,
  type CreateGrant,
  type CreateToken,
  type ListTokens,
  MAX_CREDENTIAL_NAME,
  MAX_REVOKED_REASON,
  type Revoke,
} from "./account-inputs.ts"
import { type CredentialView, credentialView, type UserView, userView } from "./credential-view.ts"
import { issueCredential } from "./issue.ts"
import type { Credential, User } from "./store.ts"

const DAY_MS = 86_400_000
const TOKEN_LIFE_MS = 90 * DAY_MS
const GRANT_LIFE_MS = 30 * DAY_MS

/** A new credential and its secret: the only time that it is shown (spec doors.md §2.1). */
export interface NewCredential {
  readonly credential: CredentialView
  readonly token: string
}

/** An end of a credential; a repeat says that it had ended already. */
export interface Revoked {
  readonly credential: CredentialView
  readonly already_revoked: boolean
}

/** Users, their tokens and project grants: what the operator may do to them (spec kernel.md §2.2). Inputs are parsed already. */
export interface Accounts {
  /** @throws ToolError `invalid_arguments`: a name is never given out twice, also after disabling */
  addUser(input: AddUser): Promise<{ user: UserView }>
  listUsers(): Promise<{ users: UserView[] }>
  /** @throws ToolError `invalid_arguments` */
  disableUser(input: { readonly name: string }): Promise<{ user: UserView; already_disabled: boolean }>
  /** @throws ToolError `invalid_arguments` for an unknown or disabled user */
  createToken(input: CreateToken): Promise<NewCredential>
  listTokens(input: ListTokens): Promise<{ credentials: CredentialView[] }>
  revokeToken(input: Revoke): Promise<Revoked>
  createGrant(input: CreateGrant): Promise<NewCredential>
  listGrants(): Promise<{ credentials: CredentialView[] }>
  revokeGrant(input: Revoke): Promise<Revoked>
}

function refuseField(field: string, sentence: string): ToolError<"invalid_arguments"> {
  return new ToolError("invalid_arguments", sentence, {
    details: { field, fields: [{ path: field, code: "conflict" }] },
  })
}

async function requireUser(tx: Tx, field: "name" | "user", name: string): Promise<User> {
  const user = await tx.users.byName(name)
  if (user !== undefined) return user
  throw refuseField(field, "There is no user of this name. Look at the list of users.")
}

async function revoke(tx: Tx, { id, reason }: Revoke, kinds: readonly Credential["kind"][], at: number) {
  const credential = await tx.credentials.byId(id)
  if (credential === undefined || !kinds.includes(credential.kind)) {
    throw refuseField("id", "There is no such credential of this sort. Look at the list, then repeat.")
  }
  const ended = await tx.credentials.revoke(id, at, reason)
  const now = (await tx.credentials.byId(id)) ?? credential
  return { credential: credentialView(now), already_revoked: !ended }
}

function expiryOf(input: { readonly expires_in_secs?: number | undefined }, at: number, lifeMs: number): number {
  return at + (input.expires_in_secs === undefined ? lifeMs : input.expires_in_secs * 1000)
}

/** The name of a new credential as it is stored. @throws ToolError `invalid_arguments` for one of our own secrets */
function credentialName(secrets: TextMask, name: string): string {
  if (!holdsOwnSecret(secrets, name)) return storedText(secrets, name, MAX_CREDENTIAL_NAME)
  throw refuseField(
    "name",
    "The name holds an access token, and names are shown in lists. Choose a name that is no secret.",
  )
}

/** Users, tokens and grants name what exists: a Project that comes later under the same slug was not meant. */
async function requireProjects(tx: Tx, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs) {
    const project = await tx.projects.bySlug(slug)
    if (project !== undefined && project.unregisteredAt === undefined) continue
    throw refuseField(
      "projects",
      `There is no Project ${slug}. Register it first (holdfast serve DIR does), or name one that list_projects shows.`,
    )
  }
}

const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** The operator's accounts over a store (spec kernel.md §2.2). */
export function createAccounts(ports: {
  readonly store: Store
  readonly clock: Pick<Clock, "now">
  readonly ids: Pick<Ids, "credential" | "secret">
  readonly secrets: TextMask
  /** Wakes waits of this process; those of others notice by themselves. Absent: none run in this process. */
  readonly signals?: Pick<Signals, "notify">
}): Accounts {
  const { store, clock, ids, secrets, signals } = ports

  /** A change that takes something away: after its commit, waits look again whether they may go on. */
  const takeAway = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const result = await store.write(work)
    signals?.notify(ACCESS_TOPIC)
    return result
  }

  const masked = ({ id, reason }: Revoke): Revoke =>
    reason === undefined ? { id } : { id, reason: storedText(secrets, reason, MAX_REVOKED_REASON) }

  const listed = async (kind: Credential["kind"], principalId?: string) => {
    const rows = await store.read((tx) =>
      tx.credentials.list({ kind, ...(principalId === undefined ? {} : { principalId }) }),
    )
    return { credentials: rows.map(credentialView) }
  }

  return {
    async addUser({ name, scopes, projects }) {
      const all = projects.length === 1 && projects[0] === "*"
      const limits = { scopes: distinct(scopes), projects: all ? ("*" as const) : distinct(projects) }
      const user: User = { name, ...limits, createdAt: clock.now() }
      await store.write(async (tx) => {
        const taken = await tx.users.byName(name)
        if (taken !== undefined) throw refuseField("name", "This name was given out before. Choose another.")
        if (user.projects !== "*") await requireProjects(tx, user.projects)
        await tx.users.insert(user)
      })
      return { user: userView(user) }
    },
    async listUsers() {
      const users = await store.read((tx) => tx.users.list())
      return { users: users.map(userView) }
    },
    async disableUser({ name }) {
      return await takeAway(async (tx) => {
        await requireUser(tx, "name", name)
        const disabled = await tx.users.disable(name, clock.now())
        return { user: userView(await requireUser(tx, "name", name)), already_disabled: !disabled }
      })
    },
    async createToken(input) {
      const at = clock.now()
      const name = credentialName(secrets, input.name)
      const { credential, secret } = await store.write(async (tx) => {
        const user = await requireUser(tx, "user", input.user)
        if (user.disabledAt !== undefined) throw refuseField("user", "This user is disabled. Choose another.")
        await requireProjects(tx, input.projects ?? [])
        return await issueCredential(tx, ids, {
          id: ids.credential(),
          kind: "user_token",
          principalId: `user:${user.name}`,
          name,
          scopes: distinct(input.scopes),
          ...(input.projects === undefined ? {} : { projects: distinct(input.projects) }),
          ...(input.mode === undefined ? {} : { mode: input.mode }),
          createdAt: at,
          ...(input.never === true ? {} : { expiresAt: expiryOf(input, at, TOKEN_LIFE_MS) }),
        })
      })
      return { credential: credentialView(credential), token: secret }
    },
    async listTokens({ user }) {
      return await listed("user_token", user === undefined ? undefined : `user:${user}`)
    },
    async revokeToken(input) {
      return await takeAway((tx) => revoke(tx, masked(input), ["user_token", "local_token"], clock.now()))
    },
    async createGrant(input) {
      const at = clock.now()
      const id = ids.credential()
      const name = credentialName(secrets, input.name)
      const projects = distinct(input.projects)
      const { credential, secret } = await store.write(async (tx) => {
        await requireProjects(tx, projects)
        return await issueCredential(tx, ids, {
          id,
          kind: "project_grant",
          principalId: `grant:${id.slice("cred_".length)}`,
          name,
          scopes: distinct(input.scopes),
          projects,
          ...(input.mode === undefined ? {} : { mode: input.mode }),
          createdAt: at,
          expiresAt: expiryOf(input, at, GRANT_LIFE_MS),
        })
      })
      return { credential: credentialView(credential), token: secret }
    },
    async listGrants() {
      return await listed("project_grant")
    },
    async revokeGrant(input) {
      return await takeAway((tx) => revoke(tx, masked(input), ["project_grant"], clock.now()))
    },
  }
}
