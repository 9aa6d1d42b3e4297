import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"

/** Headers that speak of the bytes of a body, which has been read already. */
const OF_THE_BODY = new Set(["content-length", "content-encoding", "transfer-encoding"])

/** The web-standard form of a request whose body has been read and is handed on beside it. */
export function webRequestOf({ method = "POST", url = "/", headers }: IncomingMessage, signal: AbortSignal): Request {
  const entries = Object.entries(headers).flatMap(([name, value = ""]): [string, string][] =>
    OF_THE_BODY.has(name) ? [] : [[name, Array.isArray(value) ? value.join(",") : value]],
  )
  return new Request(`http://${headers.host ?? "localhost"}${url}`, { method, headers: entries, signal })
}

/**
 * Writes a reply: a JSON one in one piece, because reading it as a stream costs more than all the rest, any other as it comes
 * and as fast as it is read. Resolves when all is handed over or `lost` says that nobody reads any more.
 */
export async function writeReply(response: ServerResponse, reply: Response, lost: AbortSignal): Promise<void> {
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  const isWhole = reply.headers.get("content-type")?.startsWith("application/json") === true
  if (reply.body === null || isWhole) {
    response.end(new Uint8Array(await reply.arrayBuffer()))
    return
  }
  for await (const chunk of reply.body) {
    if (lost.aborted) return
    if (!response.write(chunk)) await once(response, "drain", { signal: lost }).catch(() => undefined)
  }
  response.end()
}
