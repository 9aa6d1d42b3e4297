import createFetchClient from "openapi-fetch"
import { attemptUntilSettled } from "./attempts.ts"
import { connectionFailed, invalidResponse, timedOut, toolFailed } from "./failures.ts"
import type { OperatorClient, OperatorOptions, OperatorPaths } from "./operator.ts"
import { isRepeatable } from "./retry.ts"
import type { AttemptEnd } from "./transport.ts"
import { errorBodyOf, isRecord } from "./wire-result.ts"

/** Operator requests with the token, errors and deadline of calls; GET is repeated as they are, POST only on 429 and 503. */
export function createHttpOperator({ http, baseUrl, timeoutMs, retry }: OperatorOptions): OperatorClient {
  const fetchOnce = async ({ url, method, headers, signal }: Request, body: string): Promise<Response> => {
    const of = { name: new URL(url).pathname, observe: method === "GET" }
    const settled = await attemptUntilSettled({
      timeoutMs,
      retry,
      signal,
      attempt: (attemptSignal) =>
        http.send({
          url: new URL(url),
          method,
          headers: Object.fromEntries(headers),
          body: body === "" ? undefined : body,
          signal: attemptSignal,
        }),
      repeats: method === "GET" ? isRepeatable : isNotNow,
      timedOut: (attempts) => timedOut(of, timeoutMs, attempts),
      abandoned: () => undefined,
    })
    const { end } = settled
    if (end.kind === "failed") throw connectionFailed(of, settled)
    const error = errorBodyOf(end.result)
    if (error !== undefined) throw toolFailed(of, { error }, { ...end, ...settled })
    if (end.status !== 200 || !isRecord(end.result)) throw invalidResponse(of, { ...end, ...settled })
    return Response.json(end.result)
  }
  return createFetchClient<OperatorPaths>({
    baseUrl: baseUrl.href,
    fetch: async (input) => fetchOnce(input, await input.text()),
  })
}

function isNotNow(end: AttemptEnd): boolean {
  return end.kind === "answered" && (end.status === 429 || end.status === 503)
}
