import { hash, timingSafeEqual } from "node:crypto"
import type { Ids } from "../kernel/ids.ts"
import type { Credential } from "./store.ts"

/** First characters of each kind's secret (spec kernel.md §2.2). */
export const SECRET_PREFIXES = {
  local_token: "hfl_",
  user_token: "hfp_",
  project_grant: "hfg_",
} as const satisfies Partial<Record<Credential["kind"], string>>

/** Kinds of credentials that can be presented as a bearer secret now. */
export type PresentableKind = keyof typeof SECRET_PREFIXES

/** SHA-256 hex of the whole secret: the only form that is stored. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret)
}

/** A new secret: prefix and 43 base64url characters of 32 random bytes; shown once and kept nowhere. */
export function mintSecret(kind: PresentableKind, ids: Pick<Ids, "secret">): string {
  return `${SECRET_PREFIXES[kind]}${ids.secret()}`
}

/** Last 4 characters, by which a person tells credentials apart. */
export const hintOf = (secret: string): string => secret.slice(-4)

/** Compares two hashes in constant time. */
export function sameHash(one: string, other: string): boolean {
  const left = Buffer.from(one, "utf8")
  const right = Buffer.from(other, "utf8")
  return left.length === right.length && timingSafeEqual(left, right)
}
