import type { JobRunner, WatchedFacts } from "../../../../core/jobs/runner.ts"
import type { Literal } from "../../../../core/kernel/redaction/redactor.ts"
import type { Secrets } from "../../../../core/kernel/secrets.ts"
import type { ShellClaim, ShellRunner } from "../../../../core/shells/runner.ts"
import { type PortCall, portMethod } from "./calls.ts"
import type { ClientDesk } from "./host-server.ts"
import { promptEnd } from "./prompt-end.ts"
import { type Hello, PROTOCOL, type Welcome } from "./protocol.ts"
import { tellAhead } from "./told-ahead.ts"
import { type ToldRun, tellRun } from "./told-run.ts"

/** The ports that a host carries. */
export interface HostPorts {
  readonly jobs: JobRunner
  readonly shells: ShellRunner
}

/** What the desks of a host need; they serve one client each. */
export interface DeskOptions {
  readonly ports: HostPorts
  readonly secrets: Pick<Secrets, "register">
  readonly welcome: Omit<Welcome, "protocol">
  /** Takes over what dead hosts held, once; by then the first server's literals are registered (spec shells.md §6). */
  adopt(): Promise<void>
  /** Whether the journal of a host that is gone says that a Job was accepted. */
  wasAccepted(hostId: string, jobId: string): boolean
  /** A server of this protocol has come, or gone again. */
  noteClient(change: 1 | -1): void
  /** Flush and go without touching what lives. */
  release(): void
  /** End everything and go; resolves when that is done, with the socket closed. */
  shutdown(): Promise<void>
}

type ReadingFrom = Parameters<JobRunner["watch"]>[1]["reading"]

/** Calls that begin a command. */
const BEGINNINGS: ReadonlySet<string> = new Set<PortCall>(["jobs.start", "shells.exec"])

/** The claim that a call uses or gives back: nothing is left of it, whatever the answer. */
function spentBy(method: string, [first]: readonly unknown[]): string {
  if (method === "shells.release") return String(first)
  return method === "shells.exec" ? String(Object(first).claimId) : ""
}

/** Answers the calls of one client. */
export function createDesk(options: DeskOptions): ClientDesk {
  const { ports } = options
  const claims = new Set<string>()
  let isClient = false

  function greet(hello: Hello): Welcome {
    if (hello.protocol === PROTOCOL && !isClient) {
      isClient = true
      options.noteClient(1)
    }
    return { protocol: PROTOCOL, ...options.welcome }
  }

  async function register(literals: readonly Literal[]): Promise<void> {
    for (const { name, value } of literals) options.secrets.register(name, value)
    await options.adopt()
  }

  /** A Job or shell that is being taken over must not look unknown. */
  async function askPort(method: string, args: readonly unknown[]): Promise<unknown> {
    const found = portMethod(ports, method)
    if (found === undefined) throw new Error("a call that this host does not know")
    await options.adopt()
    claims.delete(spentBy(method, args))
    const answer = Reflect.apply(found.method, found.port, args)
    if (method === "shells.claim") return claim(answer)
    if (BEGINNINGS.has(method)) return tellRun(ports.jobs, await promptEnd(ports.jobs, await answer))
    if (method !== "jobs.watch") return answer
    const facts: WatchedFacts | undefined = await answer
    return facts && tellWatched(facts, Object(args[1]).reading)
  }

  async function tellWatched(facts: WatchedFacts, reading: ReadingFrom): Promise<ToldRun> {
    const canBeMore = facts.state !== "ended" || facts.outputOpen
    return canBeMore && reading !== undefined ? tellAhead(ports.jobs, facts, reading) : tellRun(ports.jobs, facts)
  }

  /** A claim whose client died would keep the shell from everybody. */
  async function claim(asked: Promise<ShellClaim>): Promise<ShellClaim> {
    const given = await asked
    claims.add(given.claimId)
    if (!isClient) await ports.shells.release(given.claimId)
    return given
  }

  return {
    call(method, args) {
      const [first] = args
      if (method === "host.hello") return greet(Object(first))
      if (method === "host.release") return options.release()
      if (method === "host.shutdown") return options.shutdown()
      if (method === "host.accepted") return options.wasAccepted(String(args[0]), String(args[1]))
      if (method === "host.secrets") return register(Array.isArray(first) ? first : [])
      return askPort(method, args)
    },
    leave() {
      if (!isClient) return
      isClient = false
      for (const claimId of claims) void ports.shells.release(claimId).catch(() => undefined)
      options.noteClient(-1)
    },
  }
}
