import type { CredentialView, UserView } from "../../core/access/credential-view.ts"

/*
 * Bodies and replies of the operator routes for users, tokens and grants (spec doors.md §2.1, kernel.md §2.2), as tsoa reads
 * them: it knows no zod. Shape and codes are checked here, the last word has core/access/account-inputs.ts; a test holds
 * the two together. The last word of a validator's line is the code that a fault of it has in `invalid_arguments`.
 */

/**
 * Name of a user; never given out twice.
 * @isString type
 * @pattern ^[a-z0-9][a-z0-9._-]{0,31}$ pattern
 */
export type UserName = string

/**
 * A scope of kernel.md §2.3.
 * @isString type
 * @pattern ^[a-z]+(:[a-z]+)?$ pattern
 */
export type ScopeName = string

/**
 * Slug of a Project.
 * @isString type
 * @pattern ^[a-z0-9][a-z0-9._-]{0,63}$ pattern
 */
export type ProjectSlug = string

/**
 * Slug of a Project; `*` alone is all of them.
 * @isString type
 * @pattern ^(\*|[a-z0-9][a-z0-9._-]{0,63})$ pattern
 */
export type ProjectChoice = string

/**
 * Id of a credential; never the secret.
 * @isString type
 * @pattern ^cred_[a-z2-7]{16}$ pattern
 */
export type CredentialName = string

/**
 * What a person will recognise the credential by.
 * @isString type
 * @minLength 1 too_small
 * @maxLength 80 too_big
 */
export type Label = string

/**
 * Whether calls that write or run need a human.
 * @isString type
 * @pattern ^(trusted_agent|restricted)$ enum
 */
export type ModeName = string

/**
 * Life in seconds.
 * @isInt type
 * @minimum 3600 too_small
 * @maximum 315360000 too_big
 */
export type LifeSecs = number

/**
 * Why it ended; shown in lists.
 * @isString type
 * @minLength 1 too_small
 * @maxLength 200 too_big
 */
export type Reason = string

export interface AddUserBody {
  name: UserName
  /**
   * Default: the `agent` bundle.
   * @minItems 1 too_small
   * @maxItems 32 too_big
   */
  scopes?: ScopeName[]
  /**
   * Default: all.
   * @maxItems 256 too_big
   */
  projects?: ProjectChoice[]
}

/** Takes nothing. */
export type NoBody = Record<string, never>

export interface UserBody {
  name: UserName
}

export interface CreateTokenBody {
  user: UserName
  name: Label
  /**
   * Default: the `agent` bundle.
   * @minItems 1 too_small
   * @maxItems 32 too_big
   */
  scopes?: ScopeName[]
  /**
   * Default: what the user has.
   * @maxItems 256 too_big
   */
  projects?: ProjectSlug[]
  mode?: ModeName
  /** Default: 90 days. */
  expires_in_secs?: LifeSecs
  /**
   * The token does not expire.
   * @isBoolean type
   */
  never?: boolean
}

export interface ListTokensBody {
  user?: UserName
}

export interface CreateGrantBody {
  name: Label
  /**
   * The Projects it opens.
   * @minItems 1 too_small
   * @maxItems 256 too_big
   */
  projects: ProjectSlug[]
  /**
   * Default: the `grant` bundle.
   * @minItems 1 too_small
   * @maxItems 32 too_big
   */
  scopes?: ScopeName[]
  mode?: ModeName
  /** Default: 30 days. */
  expires_in_secs?: LifeSecs
}

export interface RevokeBody {
  id: CredentialName
  reason?: Reason
}

export interface UserReply {
  user: UserView
}

export interface UsersReply {
  users: UserView[]
}

export interface DisabledUserReply {
  user: UserView
  already_disabled: boolean
}

/** The only time a secret is shown. */
export interface NewCredentialReply {
  credential: CredentialView
  token: string
}

export interface CredentialsReply {
  credentials: CredentialView[]
}

export interface RevokedCredentialReply {
  credential: CredentialView
  already_revoked: boolean
}
