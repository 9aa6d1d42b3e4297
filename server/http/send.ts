import type { IncomingMessage, ServerResponse } from "node:http"
import { drain } from "../../adapters/http/body.ts"
import { announcesBody } from "../../adapters/http/media-type.ts"
import { JSON_CONTENT_TYPE } from "../../adapters/http/reply.ts"

/** One reply without Express: status, headers beside those that every reply has, body. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; absent = no body. */
  readonly json?: object
}

/**
 * Answers a request whose body was not read. If it announced one, the whole reply goes out first, then at most 8 MiB are
 * drained and the connection closes (spec doors.md §2.2).
 */
export async function sendEarly(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
  const unread = announcesBody(request.rawHeaders) && !request.readableEnded
  const payload = reply.json === undefined ? "" : JSON.stringify(reply.json)
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(reply.json === undefined ? {} : { "Content-Type": JSON_CONTENT_TYPE }),
    ...(reply.status === 204 ? {} : { "Content-Length": Buffer.byteLength(payload) }),
    ...(unread ? { Connection: "close" } : {}),
  })
  if (unread) {
    response.write(payload)
    await drain(request)
    response.end()
  } else response.end(payload)
}
