const EVERY_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }

/** Where this machine reaches a server; one that listens on every address is reached on loopback. */
export function localUrl(host: string, port: number): string {
  const bare = host.replace(/^\[(.*)\]$/, "$1")
  return `http://${EVERY_ADDRESS[bare] ?? (bare.includes(":") ? `[${bare}]` : bare)}:${port}`
}
