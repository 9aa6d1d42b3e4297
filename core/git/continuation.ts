import { createHash } from "node:crypto"
import { z } from "zod"
import { ToolError } from "../kernel/error.ts"
import type { DiffPosition, DiffRequest } from "./diff.ts"

const FENCE_LENGTH = 24
const position = z.number().int().min(0)
const tokenSchema = z.tuple([z.literal(1), z.string(), z.string(), position, position, position])

const digestOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, FENCE_LENGTH)

/** What a continuation is tied to: the request without page size, so that another question cannot continue it. */
const requestKey = (request: DiffRequest): string =>
  digestOf([
    request.mode,
    request.base ?? "",
    request.head ?? "",
    request.paths,
    request.includeUntracked,
    request.format,
  ])

/** Digest of everything a page depends on: HEAD, index and the stamps of the changed files. */
export const fenceOf = (parts: readonly unknown[]): string => digestOf(parts)

/** The opaque token that continues at `at`, ≤ 512 characters. */
export function encodeContinuation(request: DiffRequest, fence: string, at: DiffPosition): string {
  const token = [1, requestKey(request), fence, at.entry, at.hunk, at.line]
  return Buffer.from(JSON.stringify(token)).toString("base64url")
}

function parseToken(text: string): z.infer<typeof tokenSchema> | undefined {
  try {
    return tokenSchema.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")))
  } catch {
    return undefined
  }
}

/**
 * Where a continuation goes on.
 * @throws ToolError `invalid_arguments` for a token of another request or none of ours, `snapshot_changed` for a stale one.
 */
export function decodeContinuation(request: DiffRequest, fence: string, text: string): DiffPosition {
  const token = parseToken(text)
  if (token === undefined || token[1] !== requestKey(request)) {
    throw new ToolError(
      "invalid_arguments",
      "The continuation belongs to another request; repeat the arguments of the page that returned it, or leave it out.",
      { details: { field: "continuation" } },
    )
  }
  if (token[2] !== fence) {
    throw new ToolError(
      "snapshot_changed",
      "HEAD, the index or a changed file is no longer what the first page showed; start again without continuation.",
    )
  }
  return { entry: token[3], hunk: token[4], line: token[5] }
}
