import type { Writable } from "node:stream"

/**
 * Aborts once nobody reads this output any more, as behind `… | head`: the command has then done what was wanted of it, and
 * ends without a word. Any other failure of the output is thrown.
 */
export function whenUnread(output: Writable): AbortSignal {
  const unread = new AbortController()
  output.on("close", () => unread.abort())
  output.on("error", (error) => {
    if (!("code" in error) || error.code !== "EPIPE") throw error
    unread.abort()
  })
  return unread.signal
}
