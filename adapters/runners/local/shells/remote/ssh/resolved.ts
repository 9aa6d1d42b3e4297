/** What `ssh -G` says about a target (spec shells.md §9.2). */
export interface ResolvedTarget {
  readonly host: string
  readonly user: string
  readonly port: number
  /** ProxyJump or ProxyCommand; `""`: none. */
  readonly proxy: string
  readonly knownHostsFiles: readonly string[]
}

/** Reads the lines of `ssh -G`; `undefined` where the host, user or port is missing. */
export function parseResolved(text: string): ResolvedTarget | undefined {
  const lines = new Map<string, string>()
  for (const line of text.split("\n")) {
    const space = line.indexOf(" ")
    if (space > 0) lines.set(line.slice(0, space).toLowerCase(), line.slice(space + 1).trim())
  }
  const host = lines.get("hostname")
  const user = lines.get("user")
  const port = Number(lines.get("port"))
  if (host === undefined || user === undefined || !Number.isInteger(port)) return undefined
  return {
    host,
    user,
    port,
    proxy: lines.get("proxyjump") ?? lines.get("proxycommand") ?? "",
    knownHostsFiles: (lines.get("userknownhostsfile") ?? "")
      .split(" ")
      .filter((path) => path !== "" && path !== "none"),
  }
}
