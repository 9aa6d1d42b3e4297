import type { AttemptEnd } from "./transport.ts"

/** A token, or a function called for every attempt; `refresh` is set after the server refused the last one. */
export type TokenSource = string | ((request: { readonly refresh: boolean }) => string | Promise<string>)

/** How a server is reached. */
export interface HttpOptions {
  readonly token: TokenSource
  /** Looked up for every request, so that a later replacement counts. */
  readonly fetch: () => typeof globalThis.fetch
}

/** One request without its authorization. */
export interface HttpRequest {
  readonly url: URL
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** The same object for all attempts of a call. */
  readonly signal: AbortSignal
}

/** Sends requests with the caller's token; redirects are errors, so a token never travels elsewhere. */
export interface Http {
  send(request: HttpRequest): Promise<AttemptEnd>
  /** A request with the token last used, of which nobody awaits the answer; it may outlive its page. */
  forget(request: Omit<HttpRequest, "signal">): void
}

/** Failures that prove that no server saw the request (spec doors.md §5.3); Node's, Deno's and Bun's names. */
const NEVER_SENT = /conn(ection)? ?refused|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|dns error/i
const FORGET_AFTER_MS = 2_000

/** The HTTP side of tool calls and operator requests. */
export function createHttp({ token: source, fetch }: HttpOptions): Http {
  const refreshed = new WeakMap<AbortSignal, string>()
  let lastToken: string | undefined
  const ask = async (refresh: boolean): Promise<string> => (typeof source === "string" ? source : source({ refresh }))
  const authorized = ({ method, headers, body }: Omit<HttpRequest, "signal">, token: string): RequestInit => ({
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    redirect: "error",
    body: body ?? null,
  })
  return {
    async send(request) {
      const { url, signal } = request
      const token = refreshed.get(signal) ?? (await ask(false))
      lastToken = token
      let response: Response
      let text: string
      try {
        response = await fetch()(url, { ...authorized(request, token), signal })
        text = await response.text()
      } catch (cause) {
        return { kind: "failed", cause: withoutToken(cause, token), mayHaveArrived: !NEVER_SENT.test(factsOf(cause)) }
      }
      const fresh = response.status === 401 && typeof source === "function" ? await ask(true) : token
      if (fresh !== token) refreshed.set(signal, fresh)
      return {
        kind: "answered",
        status: response.status,
        result: parsed(text),
        requestId: response.headers.get("x-request-id") ?? undefined,
        retryAfterMs: retryAfter(response.headers.get("retry-after")),
        tokenRefreshed: fresh !== token,
      }
    },
    forget(request) {
      if (lastToken === undefined) return
      fetch()(request.url, {
        ...authorized(request, lastToken),
        keepalive: true,
        signal: AbortSignal.timeout(FORGET_AFTER_MS),
      })
        .then((response) => response.body?.cancel())
        .catch(() => undefined)
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` as seconds or as a date, in ms from now. */
function retryAfter(header: string | null): number | undefined {
  const ms = /^\d+$/.test(header ?? "") ? Number(header) * 1_000 : Date.parse(header ?? "") - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Everything a runtime says of a failure, its causes included. */
function factsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [Reflect.get(error, "code"), error.message, factsOf(error.cause)].join("\n")
}

/** A runtime's own failure sentence never carries the token on. */
function withoutToken(error: unknown, token: string): unknown {
  return factsOf(error).includes(token) ? new Error("The failure held the token.") : error
}
