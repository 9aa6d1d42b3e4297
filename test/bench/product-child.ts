import { endHosts } from "../support/runner-hosts.ts"
import { type HttpChild, startHttpChild } from "./children.ts"
import { createHttpClient, type Prepared } from "./http-client.ts"
import type { Place } from "./place.ts"
import type { Bench } from "./scope.ts"

/** The product behind HTTP, with Sessions to record in. */
export interface Product extends HttpChild {
  readonly token: string
  readonly project: string
  readonly dataDir: string
  /** One `POST /tools/{tool}`. */
  call(tool: string, input: object, headers?: Readonly<Record<string, string>>): Prepared
  /** The Sessions in turn, so that none comes to its cap and evicts. */
  nextSession(): string
}

const SESSIONS = 20

/** Starts `servers/product-http.ts` on a data directory, new unless it exists. */
export async function startProduct(
  bench: Bench,
  place: Place,
  { dataDir = place.dataDir("product"), sessions = SESSIONS, nodeArgs = [] as readonly string[] } = {},
): Promise<Product> {
  bench.undo(() => endHosts(dataDir))
  const child = await startHttpChild(bench, "product-http.ts", { args: [dataDir, place.directory], nodeArgs })
  const { token = "", project = "" } = child.facts
  const call: Product["call"] = (tool, input, headers = {}) => ({
    port: child.port,
    path: `/tools/${tool}`,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(input),
  })
  const ids = await startSessions(call, sessions)
  let turn = 0
  return {
    ...child,
    token,
    project,
    dataDir,
    call,
    nextSession() {
      turn += 1
      return ids[turn % ids.length] ?? ""
    },
  }
}

async function startSessions(call: Product["call"], count: number): Promise<readonly string[]> {
  const client = createHttpClient()
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const answer: unknown = JSON.parse(await client.send(call("start_session", {})))
    ids.push(sessionIdOf(answer))
  }
  client.close()
  return ids
}

function sessionIdOf(answer: unknown): string {
  const id = /"session_id":"([^"]+)"/.exec(JSON.stringify(answer))?.[1]
  if (id === undefined) throw new Error(`No Session was started: ${JSON.stringify(answer)}`)
  return id
}
