import { HttpResponse, http } from "msw/http"
import { setupServer } from "msw/node"
import { afterAll, afterEach, beforeAll } from "vitest"
import { type ClientOptions, createClient, type HoldfastClient } from "../../sdk/index.ts"

/** Where no server listens; msw answers instead. */
export const ORIGIN = "https://holdfast.example"
export const TOKEN = "hf_test_zq81-never-shown"

/** One request as a replayed server saw it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: string
  readonly at: number
}

type Step = (seen: Seen) => Response | Promise<Response>

/** Answers the requests of a test in order, the last step again and again, and keeps what came. */
export interface Replies {
  readonly seen: Seen[]
  /** `POST`s alone: cancels are `DELETE`s. */
  posts(): Seen[]
  answer(...steps: readonly Step[]): void
}

/** Sets msw up for one file of tests; a request that no handler expects fails the test. */
export function useReplies(): Replies {
  const seen: Seen[] = []
  let steps: readonly Step[] = []
  const server = setupServer(
    http.all(`${ORIGIN}/*`, async ({ request }) => {
      const { method, headers } = request
      const one = { method, path: new URL(request.url).pathname, headers, body: await request.text(), at: Date.now() }
      seen.push(one)
      if (method === "DELETE") return HttpResponse.json({ cancelled: true }, { status: 202 })
      const index = seen.filter((other) => other.method !== "DELETE").length - 1
      const step = steps[Math.min(index, steps.length - 1)]
      return step === undefined ? HttpResponse.error() : await step(one)
    }),
  )
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }))
  afterEach(() => {
    seen.length = 0
    steps = []
  })
  afterAll(() => server.close())
  return {
    seen,
    posts: () => seen.filter(({ method }) => method === "POST"),
    answer: (...next) => {
      steps = next
    },
  }
}

/** A client of `ORIGIN` with quick repeats. */
export function clientOf(options: Partial<ClientOptions> = {}): HoldfastClient {
  return createClient({ baseUrl: ORIGIN, token: TOKEN, retry: { minDelayMs: 1, maxDelayMs: 5 }, ...options })
}

/** A success of a tool. */
export const ok = (output: object): Step => {
  return () => HttpResponse.json({ success: true, output })
}

/** A refusal or a failure. */
export const failed = (
  status: number,
  error: {
    readonly kind: string
    readonly recovery: string
    readonly execution_state?: string
    readonly retry_after_ms?: number
  },
  headers: Record<string, string> = {},
): Step => {
  return () => HttpResponse.json({ success: false, error: { message: "It said no.", ...error } }, { status, headers })
}

/** Text instead of a ToolResult. */
export const text = (status: number, body: string): Step => {
  return () => new HttpResponse(body, { status })
}

/** The connection breaks before any answer. */
export const broken: Step = () => HttpResponse.error()

/** No answer ever. */
export const silent: Step = () => new Promise(() => undefined)

/** What a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => {
      throw new Error(`It resolved: ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
}
