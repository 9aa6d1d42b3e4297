/** Folders that a build makes again. */
const BUILT = [
  "node_modules/",
  "dist/",
  "build/",
  "out/",
  "target/",
  ".next/",
  ".nuxt/",
  ".cache/",
  ".gradle/",
  ".venv/",
  "venv/",
  "__pycache__/",
  ".mypy_cache/",
  ".pytest_cache/",
  ".tox/",
  "coverage/",
]

/** What may hold a secret. */
const SECRET = [".ssh", ".aws", ".gnupg", ".netrc", ".env*", "*.pem", "*.key", "id_*"]

/**
 * Content of the list of what checkpoints leave alone; the last pattern that fits counts, so nothing takes a secret in again
 * (spec shells.md §12).
 */
export function ignoredPatterns(wanted: readonly string[]): string {
  return [...BUILT, ...wanted.map((pattern) => pattern.replace(/[\r\n]+/g, " ")), ...SECRET, ""].join("\n")
}
