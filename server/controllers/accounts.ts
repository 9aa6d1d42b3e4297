import type {
  AddUserBody,
  CreateGrantBody,
  CreateTokenBody,
  CredentialsReply,
  DisabledUserReply,
  ListTokensBody,
  NewCredentialReply,
  RevokeBody,
  RevokedCredentialReply,
  UserBody,
  UserReply,
  UsersReply,
} from "./account-types.ts"

/** Users and their credentials as the operator routes use them (spec doors.md §2.1, kernel.md §2.2). Faults: `ToolError`. */
export interface Accounts {
  /** Adds a user under a name that was never given out. */
  addUser(body: AddUserBody): Promise<UserReply>
  listUsers(): Promise<UsersReply>
  /** Disables a user; their credentials stop with the next call. Idempotent. */
  disableUser(body: UserBody): Promise<DisabledUserReply>
  /** Makes a user token; its secret is in this reply and nowhere else. */
  createToken(body: CreateTokenBody): Promise<NewCredentialReply>
  /** Tokens of one user or of all. */
  listTokens(body: ListTokensBody): Promise<CredentialsReply>
  /** Revokes a token, effective with the next call. Idempotent. */
  revokeToken(body: RevokeBody): Promise<RevokedCredentialReply>
  /** Makes a project grant; its secret is in this reply and nowhere else. */
  createGrant(body: CreateGrantBody): Promise<NewCredentialReply>
  listGrants(): Promise<CredentialsReply>
  revokeGrant(body: RevokeBody): Promise<RevokedCredentialReply>
}
