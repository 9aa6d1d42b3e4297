import type { Attempt, AttemptEnd, Transport, WireResult } from "./transport.ts"
import { isRecord, isWireResult } from "./wire-result.ts"

/** A token, or a function called for every attempt; `refresh` is set after the server refused the last one. */
export type TokenSource = string | ((request: { readonly refresh: boolean }) => string | Promise<string>)

/** What the HTTP transport needs. */
export interface HttpTransportOptions {
  /** With a trailing slash. */
  readonly baseUrl: URL
  readonly token: TokenSource
  /** Looked up for every request, so that a later replacement counts. */
  readonly fetch: () => typeof globalThis.fetch
}

/** Failures that prove that no server saw the request (spec doors.md §5.3). */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UNDICI_CONNECT_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
])
const CANCEL_TIMEOUT_MS = 2_000

/** Calls over HTTP; redirects are errors, so a token never travels elsewhere. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const toolsPath = /\/s\/[^/]+\/$/.test(options.baseUrl.pathname) ? "tools/custom/" : "tools/"
  let lastToken: string | undefined
  let freshToken: string | undefined

  const nextToken = async (): Promise<string> => {
    const token =
      freshToken ?? (typeof options.token === "string" ? options.token : await options.token({ refresh: false }))
    freshToken = undefined
    lastToken = token
    return token
  }
  /** After a 401: whether a token function has another token than the refused one. */
  const refreshToken = async (refused: string): Promise<boolean> => {
    if (typeof options.token === "string") return false
    const token = await options.token({ refresh: true })
    if (token === refused) return false
    freshToken = token
    return true
  }

  return {
    async attempt(attempt) {
      const token = await nextToken()
      try {
        const response = await options.fetch()(new URL(`${toolsPath}${attempt.tool}`, options.baseUrl), {
          method: "POST",
          headers: headersOf(attempt, token),
          body: JSON.stringify(bodyOf(attempt)),
          redirect: "error",
          signal: attempt.signal,
        })
        const answer = await readAnswer(response)
        return { ...answer, tokenRefreshed: answer.status === 401 && (await refreshToken(token)) }
      } catch (cause) {
        if (attempt.signal.aborted) throw attempt.signal.reason
        return { kind: "failed", cause: withoutToken(cause, token), mayHaveArrived: !neverSent(cause) }
      }
    },
    cancel(idempotencyKey) {
      if (lastToken === undefined) return
      options
        .fetch()(new URL(`calls/${encodeURIComponent(idempotencyKey)}`, options.baseUrl), {
          method: "DELETE",
          headers: { authorization: `Bearer ${lastToken}` },
          redirect: "error",
          keepalive: true,
          signal: AbortSignal.timeout(CANCEL_TIMEOUT_MS),
        })
        .then((response) => response.body?.cancel())
        .catch(() => undefined)
    },
  }
}

function headersOf(attempt: Attempt, token: string): Record<string, string> {
  const wait = `wait=${attempt.waitSecs}`
  return {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json",
    "idempotency-key": attempt.idempotencyKey,
    prefer: attempt.maxChars === undefined ? wait : `${wait}, max-chars=${attempt.maxChars}`,
  }
}

function bodyOf(attempt: Attempt): object {
  return attempt.recordingSessionId === undefined
    ? attempt.input
    : { ...attempt.input, recording_session_id: attempt.recordingSessionId }
}

async function readAnswer(
  response: Response,
): Promise<Omit<Extract<AttemptEnd, { kind: "answered" }>, "tokenRefreshed">> {
  const text = await response.text()
  const result = readResult(text)
  return {
    kind: "answered",
    status: response.status,
    result,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfter(response.headers.get("retry-after")),
  }
}

function readResult(text: string): WireResult | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isWireResult(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** `Retry-After` as seconds or as a date, in ms from now. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function codeOf(error: unknown): unknown {
  return isRecord(error) || error instanceof Error ? Reflect.get(error, "code") : undefined
}

function neverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const codes = [codeOf(error), codeOf(cause)]
  return (
    codes.some((code) => typeof code === "string" && NEVER_SENT.has(code)) ||
    /Connection refused|dns error/i.test(messageOf(error))
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A runtime's own failure sentence never carries the token on. */
function withoutToken(error: unknown, token: string): unknown {
  return messageOf(error).includes(token)
    ? new Error("The request failed; its runtime's message held the token and is left out.")
    : error
}
