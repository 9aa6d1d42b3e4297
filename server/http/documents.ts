import type { RequestHandler } from "express"
import { entityTag, isUnmodified } from "../../adapters/http/etag.ts"
import { JSON_CONTENT_TYPE } from "../../adapters/http/reply.ts"

/** Serves one OpenAPI document: strong ETag, 304 on a match, revalidated each time (spec doors.md §3.2). */
export function serveDocument(bytes: Uint8Array): RequestHandler {
  const etag = entityTag(bytes)
  return (request, response) => {
    response.setHeader("ETag", etag).setHeader("Cache-Control", "no-cache")
    if (isUnmodified(request.rawHeaders, etag)) response.status(304).end()
    else response.setHeader("Content-Type", JSON_CONTENT_TYPE).setHeader("Content-Length", bytes.byteLength).end(bytes)
  }
}
