import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { bearerToken } from "../../adapters/http/bearer.ts"
import { onlyHeader } from "../../adapters/http/raw-headers.ts"
import type { Caller } from "../../core/access/principal.ts"
import { invalidField } from "../../core/jobs/environment.ts"
import { isToolError } from "../../core/kernel/error.ts"
import { decodePosition, type WatchPosition } from "../../core/watching/cursor.ts"
import type { WatchMessage } from "../../core/watching/events.ts"
import { callerOf } from "./authentication.ts"
import type { RequestContext } from "./context.ts"

/** Proxies drop a connection on which nothing comes for long. */
const BEAT_MS = 15_000
/** A credential that is revoked ends its streams within 5 s (spec kernel.md §2.2). */
const LOOK_AT_CREDENTIAL_MS = 4_000
/** What the scope of a stream is called (spec shells.md §13). */
const SCOPE = "runtime:read"

/**
 * Answers with the caller's shells and Jobs as Server-Sent Events until the client goes, the server ends or the credential does
 * (spec shells.md §13). Bytes wait for the client, not in memory: a slow one is served from the spools later. Throws
 * `invalid_arguments` for an `after` that is no cursor.
 */
export async function streamRuntime(
  context: RequestContext,
  rawHeaders: readonly string[],
  response: ServerResponse,
): Promise<void> {
  const after = positionAfter(context.search, rawHeaders)
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, context.ending, over.signal])
  const watching = { caller: callerOf(context) }
  const { deps } = context
  const begun = (): void => void response.write(": begun\n\n")
  const messages = deps.watch(() => watching.caller, { ...(after === undefined ? {} : { after }), signal, begun })
  response.setHeader("Content-Type", "text/event-stream; charset=utf-8")
  response.setHeader("X-Accel-Buffering", "no")
  response.writeHead(200)
  response.write(": watching\n\n")
  const beat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(":\n\n")
  }, BEAT_MS)
  renewCaller(context, { rawHeaders, signal, over, watching }).catch((error: unknown) =>
    deps.telemetry.fault(error, { requestId: context.requestId }),
  )
  try {
    for await (const message of messages) await send(response, message, signal)
  } catch (error) {
    deps.telemetry.fault(error, { requestId: context.requestId })
  } finally {
    clearInterval(beat)
    over.abort()
    response.end()
  }
}

/** The place to go on behind: the query's, else the one an `EventSource` sends when it comes back. */
function positionAfter(search: string, rawHeaders: readonly string[]): WatchPosition | undefined {
  const cursor = new URLSearchParams(search).get("after") ?? onlyHeader(rawHeaders, "last-event-id")
  if (cursor === undefined || cursor === "") return undefined
  const position = decodePosition(cursor)
  if (position !== undefined) return position
  throw invalidField("after", "format", "after is no cursor of this stream. Send the id of an event, or leave it out.")
}

async function send(response: ServerResponse, { event, cursor }: WatchMessage, signal: AbortSignal): Promise<void> {
  const { event: name, ...data } = event
  const id = cursor === undefined ? "" : `id: ${cursor}\n`
  if (response.write(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)) return
  await once(response, "drain", { signal }).catch(() => undefined)
}

/** Asks again who the credential belongs to, and ends the stream when it no longer opens it. */
async function renewCaller(
  { deps }: RequestContext,
  of: {
    readonly rawHeaders: readonly string[]
    readonly signal: AbortSignal
    readonly over: AbortController
    readonly watching: { caller: Caller }
  },
): Promise<void> {
  const { token } = bearerToken(of.rawHeaders)
  if (token === undefined) return
  while (!of.signal.aborted) {
    await deps.clock.sleep(LOOK_AT_CREDENTIAL_MS, of.signal).catch(() => undefined)
    if (of.signal.aborted) return
    try {
      of.watching.caller = await deps.authenticate(token)
    } catch (error) {
      // A store that cannot be asked right now says nothing about the credential.
      if (!isToolError(error) || error.kind !== "unauthenticated") continue
      of.over.abort()
    }
    const { scopes } = of.watching.caller
    if (!scopes.has(SCOPE) && !scopes.has("admin")) of.over.abort()
  }
}
