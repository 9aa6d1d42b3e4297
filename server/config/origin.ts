const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Whether a text is a bare http(s) origin: scheme, host, optional port, nothing else. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.origin === text
}

/** Whether a text may be `public_url`: an https origin, or http on loopback (spec doors.md §3.4). */
export function isPublicOrigin(text: string): boolean {
  const url = URL.parse(text)
  return isOrigin(text) && url !== null && (url.protocol === "https:" || LOOPBACK.has(url.hostname))
}

/** Whether an address to listen on is reachable from this machine alone. */
export function isLoopbackAddress(host: string): boolean {
  return LOOPBACK.has(host) || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)
}
