import { isIP } from "node:net"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

/**
 * The address a request counts for, for limits and audit only: the peer's, or with `trustProxy: N` the one that the
 * outermost of N trusted proxies saw (spec doors.md §2.2). A forged or garbled entry falls back to the peer.
 */
export function clientAddress(
  request: { readonly rawHeaders: RawHeaders; readonly remoteAddress: string | undefined },
  trustProxy: number,
): string {
  const peer = request.remoteAddress ?? ""
  if (trustProxy === 0) return peer
  const hops = headerValues(request.rawHeaders, "x-forwarded-for").flatMap((line) => line.split(","))
  const stated = hops.at(-Math.min(trustProxy, hops.length))?.trim() ?? ""
  return hops.length > 0 && isIP(stated) !== 0 ? stated : peer
}
