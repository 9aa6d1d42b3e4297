import { hostName, LOOPBACK_NAMES } from "./host-rule.ts"

/** The configuration keys that say who may reach the HTTP door (spec kernel.md §14), already checked by the configuration. */
export interface ExposureOptions {
  /** Public origin, `https://…` or a loopback `http://…`. */
  readonly publicUrl?: string
  /** Further host names; a port in one is ignored. */
  readonly allowHosts: readonly string[]
  /** Further whole origins. */
  readonly allowOrigins: readonly string[]
}

/** What the gate compares against, once the port is known. */
export interface Exposure {
  /** Lower-case host names, without ports. */
  readonly allowedHosts: ReadonlySet<string>
  /** Whole origins. */
  readonly allowedOrigins: ReadonlySet<string>
  /** Origin under which the documents say that the server is reached: `public_url`, else loopback with the bound port. */
  readonly serverUrl: string
}

/** The allowed hosts and origins of a server that listens on `boundPort` (spec doors.md §2.2 steps 2 and 3). */
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
