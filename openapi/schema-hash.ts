import { createHash } from "node:crypto"
import canonicalize from "canonicalize"
import { type JsonObject, objectAt } from "./json.ts"

const HASH_MEMBER = "x-holdfast-schema-hash"

/**
 * 32 hex characters of SHA-256 over the RFC 8785 form of a document without `servers`, `info.version` and the hash itself,
 * so that a host with a stale import learns it and a restart under another address does not change it (spec doors.md §3.2).
 */
export function schemaHash(document: JsonObject): string {
  const { servers: _servers, info: _info, ...rest } = document
  const { version: _version, [HASH_MEMBER]: _hash, ...info } = objectAt(document, "info")
  const canonical = canonicalize({ ...rest, info })
  if (canonical === undefined) throw new Error("The document has no canonical form.")
  return createHash("sha256").update(canonical).digest("hex").slice(0, 32)
}

/** The document with its hash in `info`. */
export function withSchemaHash(document: JsonObject, hash: string): JsonObject {
  return { ...document, info: { ...objectAt(document, "info"), [HASH_MEMBER]: hash } }
}
