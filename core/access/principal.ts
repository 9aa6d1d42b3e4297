import { hash } from "node:crypto"
import type { CredentialId } from "../kernel/ids.ts"
import type { AuthorityMode } from "../kernel/permission.ts"
import type { Scope } from "./scopes.ts"

/** Who calls (spec kernel.md §2.1): `local`, `user:<name>` or `grant:<id>`. */
export type Principal =
  | { readonly kind: "local"; readonly id: "local" }
  | { readonly kind: "user"; readonly id: `user:${string}`; readonly name: string }
  | { readonly kind: "grant"; readonly id: `grant:${string}`; readonly grant: string }
  | { readonly kind: "embedded"; readonly id: string }

/** Owner of Workflow Sessions (spec kernel.md §2.1); an embedder's principal may have none and then creates no Session. */
export interface AuthorityGroup {
  readonly kind: "local" | "user" | "grant"
  readonly id: string
}

/** How the caller proved itself (spec kernel.md §2.2). */
export type CredentialKind =
  | "stdio"
  | "local_token"
  | "user_token"
  | "project_grant"
  | "oauth"
  | "chat_session"
  | "embedded"

/** A principal with what this call's credential lets it do; made by a door's authentication, read by the kernel. */
export interface Caller {
  readonly principal: Principal
  readonly authority: AuthorityGroup | undefined
  readonly credential: {
    readonly kind: CredentialKind
    readonly id?: CredentialId
    /** Wall clock, ms. */
    readonly expiresAt?: number
  }
  readonly scopes: ReadonlySet<Scope>
  /** Slugs the caller may access; `*` is every Project (spec kernel.md §2.3). */
  readonly projects: "*" | readonly string[]
  /** The credential's own mode; the stricter of it and the server's holds. */
  readonly mode?: AuthorityMode
}

/** The principal that whoever started the process is (spec kernel.md §2.1). */
export const localPrincipal: Principal = { kind: "local", id: "local" }

/** The authority group of a principal; `undefined` for an embedder's principal without one (spec kernel.md §2.1). */
export function authorityOf(principal: Principal): AuthorityGroup | undefined {
  switch (principal.kind) {
    case "local":
      return { kind: "local", id: "local" }
    case "user":
      return { kind: "user", id: principal.name }
    case "grant":
      return { kind: "grant", id: principal.grant }
    case "embedded":
      return undefined
  }
}

/** 64 lower-case hex characters; the only form in which ownership is stored (spec kernel.md §2.1). */
export function authorityFingerprint(group: AuthorityGroup): string {
  return hash("sha256", `holdfast.session-authority.v1\0${group.kind}\0${group.id}`)
}

/** Whether the caller may access a Project of this slug (spec kernel.md §2.3). */
export function mayAccessProject(caller: Pick<Caller, "projects">, slug: string): boolean {
  return caller.projects === "*" || caller.projects.includes(slug)
}
