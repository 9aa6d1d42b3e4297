import { setTimeout as sleep } from "node:timers/promises"
import { makePlace, type Place } from "../../support/place.ts"
import { hostPids } from "../../support/runner-hosts.ts"
import { type ServerProcess, startProcess } from "../../support/server-process.ts"

/** What a tool answered. */
export interface Answer {
  readonly success: boolean
  readonly output: Record<string, unknown>
  readonly error?: {
    readonly kind: string
    readonly execution_state?: string
    readonly details?: Record<string, unknown>
  }
}

/** Real servers, one after the other or several at once, on one data directory. */
export interface Servers extends AsyncDisposable {
  readonly place: Place
  start(args?: readonly string[]): Promise<ServerProcess>
  call(server: ServerProcess, tool: string, input: object): Promise<Answer>
  /** Kills it as the machine would. */
  kill(server: ServerProcess): Promise<void>
  /** Its exit code after SIGTERM. */
  stop(server: ServerProcess): Promise<number | string>
  /** Pids of the Runner hosts that live. */
  hosts(): Promise<readonly number[]>
}

/** Makes a place for servers whose host stays for a second after the last of them. */
export async function makeServers(env: Readonly<Record<string, string>> = {}): Promise<Servers> {
  const place = await makePlace()
  const running = new Set<ServerProcess>()
  return {
    place,
    async start(args = []) {
      const server = await startProcess({ place, args, env: { HOLDFAST_RUNNER_LINGER_MS: "1000", ...env } })
      running.add(server)
      return server
    },
    async call(server, tool, input) {
      const reply = await fetch(`${server.url}/tools/${tool}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
        body: JSON.stringify(input),
      })
      const { success, output = {}, error } = JSON.parse(await reply.text())
      return { success, output, ...(error === undefined ? {} : { error }) }
    },
    async kill(server) {
      server.child.kill("SIGKILL")
      await server.exited
      running.delete(server)
    },
    async stop(server) {
      server.child.kill("SIGTERM")
      const code = await server.exited
      running.delete(server)
      return code
    },
    hosts: () => hostPids(place.dataDir),
    async [Symbol.asyncDispose]() {
      for (const server of running) await server[Symbol.asyncDispose]()
      await place.remove()
    },
  }
}

/** Looks until it holds, or fails with what it saw last. */
export async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean, withinMs = 20_000): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms; seen last: ${JSON.stringify(seen)}`)
    await sleep(30)
  }
}

/** Kills one process of ours that the test did not start itself. */
export function killProcess(pid: number): void {
  process.kill(pid, "SIGKILL")
}
