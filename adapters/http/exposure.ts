import { hostName, LOOPBACK_NAMES } from "./host-rule.ts"

/** The configuration keys that say where the HTTP door stands and who may reach it (spec kernel.md §14, doors.md §2.2). */
export interface ExposureOptions {
  /** Address to bind. */
  readonly host: string
  /** Public origin, `https://…` or a loopback `http://…`. */
  readonly publicUrl?: string
  readonly allowHosts: readonly string[]
  readonly allowOrigins: readonly string[]
}

/** What the gate compares against, once the port is known. */
export interface Exposure {
  /** Lower-case host names, without ports. */
  readonly allowedHosts: ReadonlySet<string>
  /** Whole origins. */
  readonly allowedOrigins: ReadonlySet<string>
  /** Origin under which documents say the server is reached. */
  readonly serverUrl: string
}

const LOOPBACK_BINDS = new Set(["127.0.0.1", "localhost", "::1", "[::1]"])

/**
 * The first fault of the exposure settings as one sentence that names the key, or `undefined`; the start ends with exit
 * code 2 on it (spec doors.md §2.2, §3.4).
 */
export function exposureFault(options: ExposureOptions): string | undefined {
  const publicUrl = options.publicUrl === undefined ? undefined : publicUrlFault(options.publicUrl)
  if (publicUrl !== undefined) return publicUrl
  const host = options.allowHosts.find((entry) => hostName(entry) === undefined)
  if (host !== undefined)
    return `allow_host: ${JSON.stringify(host)} is no host name; give a bare name such as h.example.`
  const origin = options.allowOrigins.find((entry) => originOf(entry) !== entry)
  if (origin !== undefined)
    return `allow_origin: ${JSON.stringify(origin)} is no origin; give scheme, host and port alone, such as https://h.example.`
  if (LOOPBACK_BINDS.has(options.host) || options.publicUrl !== undefined || options.allowHosts.length > 0)
    return undefined
  return `host: binding ${options.host} opens the server beyond this machine; also set public_url or allow_host.`
}

/** The allowed hosts and origins of a server that listens on `boundPort`. Settings without fault are taken for granted. */
export function exposureOf(options: ExposureOptions, boundPort: number): Exposure {
  const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl)
  const configured = options.allowHosts.flatMap((entry) => hostName(entry) ?? [])
  // A browser leaves the default port out of the origin it sends.
  const port = boundPort === 80 ? "" : `:${boundPort}`
  return {
    allowedHosts: new Set([...LOOPBACK_NAMES, ...(publicUrl ? [publicUrl.hostname] : []), ...configured]),
    allowedOrigins: new Set([
      ...LOOPBACK_NAMES.map((name) => `http://${name}${port}`),
      ...(publicUrl ? [publicUrl.origin] : []),
      ...options.allowOrigins,
    ]),
    serverUrl: publicUrl?.origin ?? `http://127.0.0.1:${boundPort}`,
  }
}

function publicUrlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const secure = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK_NAMES.includes(url.hostname))
  if (!secure) return "public_url must be an https origin such as https://h.example (http only for a loopback host)."
  if (text.replace(/\/$/, "") === url.origin) return undefined
  return "public_url must be an origin alone, such as https://h.example: without path, query, fragment or credentials."
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined
}
