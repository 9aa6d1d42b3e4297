import { ToolError } from "../../core/kernel/error.ts"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

const HOST_LINE = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$/

/** Names under which every server may be reached, beside what is configured (spec doors.md §2.2 step 2). */
export const LOOPBACK_NAMES: readonly string[] = ["127.0.0.1", "localhost", "[::1]"]

/** The lower-cased name of a `Host` value without its port; `undefined` if it is not exactly name and port. */
export function hostName(value: string): string | undefined {
  return HOST_LINE.exec(value)?.[1]?.toLowerCase()
}

/**
 * Step 2 of the gate: the target is in origin form, and exactly one `Host` line names an allowed host. Ports are not
 * compared, because tunnels change them; a URL parser is not asked, because it repairs what must be refused.
 */
export function checkHost(
  request: { readonly rawTarget: string; readonly rawHeaders: RawHeaders },
  allowedHosts: ReadonlySet<string>,
): ToolError | undefined {
  const [line, ...more] = headerValues(request.rawHeaders, "host")
  const name = line === undefined || more.length > 0 ? undefined : hostName(line)
  const originForm = request.rawTarget.startsWith("/") && !request.rawTarget.includes("#")
  if (originForm && name !== undefined && allowedHosts.has(name)) return undefined
  return new ToolError(
    "host_denied",
    "This server does not answer under that host name. Send exactly one Host header naming 127.0.0.1, localhost, " +
      "[::1], the host of public_url or an entry of allow_host, and a request target that starts with a slash and has no #.",
  )
}
