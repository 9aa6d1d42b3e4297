/** Names of the shapes of kernel.md §12 that are not assignments; each is the NAME of its mask. */
export const SHAPE_NAMES = [
  "aws_key",
  "github_token",
  "gitlab_token",
  "slack_token",
  "stripe_key",
  "anthropic_key",
  "openai_key",
  "google_key",
  "jwt",
  "private_key",
  "url_password",
  "bearer",
  "basic_auth",
  "holdfast_token",
] as const

/** Endings of a name whose assigned value is a secret (kernel.md §12), longest first; each is the NAME of its mask. */
export const ASSIGNMENT_NAMES = [
  "client_secret",
  "refresh_token",
  "access_token",
  "private_key",
  "access_key",
  "auth_token",
  "secret_key",
  "password",
  "api_key",
  "passwd",
  "secret",
  "apikey",
  "token",
] as const

/** How every mask begins; what follows is its NAME and `]`. */
export const MASK_PREFIX = "[redacted:"

/** Longest NAME of a mask, in characters. */
export const MASK_NAME_CHARS = 64

/** The mask that replaces a secret's span. `name` is already a valid NAME. */
export function maskOf(name: string): string {
  return `${MASK_PREFIX}${name}]`
}

/** A valid NAME (`[A-Za-z0-9_]{1,64}`) for a literal, from its variable's name; `secret` if nothing of it is usable. */
export function maskName(variable: string): string {
  const name = variable.replace(/[^A-Za-z0-9_]/g, "_").slice(0, MASK_NAME_CHARS)
  return name === "" ? "secret" : name
}
