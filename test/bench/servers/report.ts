import type { Server } from "node:http"

/** Tells the parent that this process is ready; goes when the parent goes. */
export function report(facts: Readonly<Record<string, string | number>>): void {
  process.on("disconnect", () => process.exit(0))
  // An orderly exit lets `node --cpu-prof` write its profile.
  if (process.listenerCount("SIGTERM") === 0) process.on("SIGTERM", () => process.exit(0))
  process.send?.(facts)
}

/** Listens on a free port of loopback and reports it. */
export function listen(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    const bound = server.address()
    if (typeof bound !== "object" || bound === null) throw new Error("The server is bound to no port.")
    report({ port: bound.port })
  })
}
