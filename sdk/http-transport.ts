import { invalidOption } from "./configuration.ts"
import type { Http } from "./http.ts"
import type { Transport } from "./transport.ts"

/** Tool calls over HTTP (spec doors.md §2, §5.4). `baseUrl` has a trailing slash. */
export function createHttpTransport(http: Http, baseUrl: URL): Transport {
  const toolsPath = /\/s\/[^/]+\/$/.test(baseUrl.pathname) ? "tools/custom/" : "tools/"
  return {
    attempt({ tool, input, recordingSessionId, ackSessionMessageIds, ...rest }) {
      const { idempotencyKey, waitSecs, maxChars, signal } = rest
      if (ackSessionMessageIds !== undefined)
        throw invalidOption("ackSessionMessageIds", "needs a transport in process")
      return http.send({
        url: new URL(`${toolsPath}${encodeURIComponent(tool)}`, baseUrl),
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "idempotency-key": idempotencyKey,
          prefer: `wait=${waitSecs}${maxChars === undefined ? "" : `, max-chars=${maxChars}`}`,
        },
        body: JSON.stringify(
          recordingSessionId === undefined ? input : { ...input, recording_session_id: recordingSessionId },
        ),
        signal,
      })
    },
    cancel(idempotencyKey) {
      http.forget({ url: new URL(`calls/${encodeURIComponent(idempotencyKey)}`, baseUrl), method: "DELETE" })
    },
  }
}
