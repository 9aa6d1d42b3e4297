import { z } from "zod"
import { credentialIdSchema } from "../kernel/ids.ts"
import { labelSchema } from "../kernel/text-schema.ts"
import { slugSchema } from "../projects/slug.ts"
import { SCOPE_BUNDLES, scopeSchema } from "./scopes.ts"

const HOUR_SECS = 3600
const LONGEST_SECS = 3650 * 86_400

/** Longest name of a credential, in code points (spec kernel.md §2.2). */
export const MAX_CREDENTIAL_NAME = 80
/** Longest reason of a revocation, in code points. */
export const MAX_REVOKED_REASON = 200

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, "must be 1 to 32 of a-z, 0-9, dot, _ and -, and begin with a letter or digit")
const scopes = z.array(scopeSchema).min(1).max(32)
const slugs = z.array(slugSchema).max(256)
const mode = z.enum(["trusted_agent", "restricted"])
const lifetime = z.int().min(HOUR_SECS).max(LONGEST_SECS)

/** A new user (spec kernel.md §2.2, doors.md §2.1); `projects` is `["*"]` or slugs. */
export const addUserSchema = z.strictObject({
  name,
  scopes: scopes.default([...SCOPE_BUNDLES.agent]),
  projects: z.union([z.tuple([z.literal("*")]), slugs], "must be slugs of Projects, or * alone").default(["*"]),
})
/** A parsed `addUserSchema`. */
export type AddUser = z.output<typeof addUserSchema>

/** A user by name. */
export const userNameSchema = z.strictObject({ name })

/** A new token of a user: 1 h .. 3650 days, or `never`; default 90 days. */
export const createTokenSchema = z
  .strictObject({
    user: name,
    name: labelSchema(1, MAX_CREDENTIAL_NAME),
    scopes: scopes.default([...SCOPE_BUNDLES.agent]),
    projects: slugs.optional(),
    mode: mode.optional(),
    expires_in_secs: lifetime.optional(),
    never: z.literal(true).optional(),
  })
  .check((context) => {
    const { expires_in_secs, never } = context.value
    if (expires_in_secs === undefined || never === undefined) return
    const message = "excludes expires_in_secs"
    context.issues.push({ code: "custom", path: ["never"], message, input: context.value })
  })
/** A parsed `createTokenSchema`. */
export type CreateToken = z.output<typeof createTokenSchema>

/** A new project grant: a capability for listed Projects, never without end; default 30 days. */
export const createGrantSchema = z.strictObject({
  name: labelSchema(1, MAX_CREDENTIAL_NAME),
  projects: slugs.min(1),
  scopes: scopes.default([...SCOPE_BUNDLES.grant]),
  mode: mode.optional(),
  expires_in_secs: lifetime.optional(),
})
/** A parsed `createGrantSchema`. */
export type CreateGrant = z.output<typeof createGrantSchema>

/** Which tokens to list. */
export const listTokensSchema = z.strictObject({ user: name.optional() })
/** A parsed `listTokensSchema`. */
export type ListTokens = z.output<typeof listTokensSchema>

/** A credential to revoke. */
export const revokeSchema = z.strictObject({
  id: credentialIdSchema,
  reason: labelSchema(1, MAX_REVOKED_REASON).optional(),
})
/** A parsed `revokeSchema`. */
export type Revoke = z.output<typeof revokeSchema>
