import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { CancelledBy } from "../../../../core/jobs/record.ts"
import type { JobRunner } from "../../../../core/jobs/runner.ts"
import { createSecretRegistry, type Secrets } from "../../../../core/kernel/secrets.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { holdDirectory } from "./held-directory.ts"
import { createDesk, type HostPorts } from "./host-desk.ts"
import { type HostServer, listen } from "./host-server.ts"
import { type HostStart, socketOf } from "./host-start.ts"
import { createLifetime } from "./lifetime.ts"

/** A host core as its carrier sees it. */
export interface CarriedHost extends HostPorts {
  /** Its own Jobs: not those of hosts that were made for one. */
  readonly own: JobRunner
  /** Something lives in it, or is owed to a server. */
  isHolding(): Promise<boolean>
  /** Takes over what hosts that are gone left alive; called once, before any port is asked. */
  adopt(): Promise<void>
  /** Whether the journal of a host that is gone says that a Job was accepted. */
  wasAccepted(hostId: string, jobId: string): boolean
  /** Makes again what is gone of its runtime directory. */
  repair(): Promise<void>
  /** `end` ends every process, cause `shutdown`; `keep` leaves them to the next host. */
  close(processes: "end" | "keep"): Promise<void>
}

/** What a host process is made of. */
export interface HostProcessOptions {
  readonly start: HostStart
  readonly processes: ProcessTable
  /** Makes the core; it masks what the registry knows at each time. */
  createCore(secrets: Secrets): CarriedHost
  log(line: string): void
}

/** A host that listens. */
export interface RunningHost {
  /** Ends everything, cause `shutdown`, and goes. */
  shutdown(): void
  /** Looks after its runtime directory at once. */
  repair(): void
  /** Resolves when it has gone. */
  readonly ended: Promise<void>
}

const REPAIR_EVERY_MS = 60_000
const TOUCH_EVERY_MS = 3_600_000
const END_GRACE_MS = 500
const TOLD_WITHIN_MS = 1500
/** Answers that are on their way get out before the sockets close. */
const LAST_WORDS_MS = 20

/** Runs a host until it is released, shut down, or nobody needs it any more (spec shells.md §2.1). */
export async function runHost(options: HostProcessOptions): Promise<RunningHost> {
  const { start, log } = options
  const secrets = createSecretRegistry()
  const core = options.createCore(secrets)
  const path = socketOf(start.runtimeDirectory, start.hostId)
  const gone = Promise.withResolvers<void>()
  let ending = false
  let clients = 0

  const lifetime = createLifetime({
    lingerMs: start.lingerMs,
    ...(start.abandonMs === undefined ? {} : { abandonMs: start.abandonMs }),
    isNeeded: () => core.isHolding(),
    isBusy: async () => (await core.own.inventory()).some(({ state }) => state !== "ended"),
    hasHome: () => existsSync(start.dataDirectory),
    end: (why) => go(why, why === "idle" ? undefined : "orphaned"),
  })
  const receive = () =>
    createDesk({
      ports: core,
      secrets,
      adopt,
      wasAccepted: (hostId, jobId) => core.wasAccepted(hostId, jobId),
      welcome: {
        version: start.version,
        hostId: start.hostId,
        detached: start.detached,
        bootId: options.processes.bootId(),
        pid: process.pid,
      },
      noteClient(change) {
        clients += change
        lifetime.noteClient(change)
      },
      release: () => go("released", "keep"),
      shutdown() {
        go("shutdown", "shutdown")
        return gone.promise
      },
    })
  let adopting: Promise<void> | undefined
  function adopt(): Promise<void> {
    adopting ??= core.adopt().catch((error: unknown) => log(`fault while taking over: ${String(error)}`))
    return adopting
  }
  let server: HostServer = await listen(path, receive)

  const repairing = setInterval(() => void repair(), REPAIR_EVERY_MS)
  let held = holdDirectory(start.runtimeDirectory)
  const touching = setInterval(() => held.touch(), TOUCH_EVERY_MS)

  /** `what` says what happens to what lives; nothing does where nothing is held. */
  function go(why: string, what: "keep" | "shutdown" | "orphaned" | undefined): void {
    if (ending) return
    ending = true
    log(`ends: ${why}`)
    lifetime.close()
    clearInterval(repairing)
    clearInterval(touching)
    held.close()
    void leave(what)
      .catch((error: unknown) => log(`fault while ending: ${String(error)}`))
      .finally(() => gone.resolve())
  }

  async function leave(what: "keep" | "shutdown" | "orphaned" | undefined): Promise<void> {
    await sleep(LAST_WORDS_MS)
    if (what === "orphaned") await endAll(core, what)
    await core.close(what === "keep" ? "keep" : "end")
    if (what !== undefined && what !== "keep" && clients > 0) await untilTold(core)
    server.close()
  }

  async function repair(): Promise<void> {
    if (ending) return
    try {
      if (existsSync(path)) return
      if (!existsSync(dirname(path))) await core.repair()
      const [before, lock] = [server, held]
      server = await listen(path, receive)
      held = holdDirectory(start.runtimeDirectory)
      before.stopListening()
      lock.close()
      log("made the runtime directory again")
    } catch (error) {
      log(`fault while repairing: ${String(error)}`)
    }
  }

  log(`listens, pid ${process.pid}, version ${start.version}`)
  return {
    shutdown: () => go("SIGTERM", "shutdown"),
    repair: () => void repair(),
    ended: gone.promise,
  }
}

/** Servers that are connected store the ends now; the journal tells others. */
async function untilTold({ own, shells }: CarriedHost): Promise<void> {
  const end = performance.now() + TOLD_WITHIN_MS
  while (performance.now() < end) {
    const [runs, live] = await Promise.all([own.inventory(), shells.inventory()])
    if (runs.length === 0 && live.length === 0) return
    await sleep(LAST_WORDS_MS)
  }
}

async function endAll({ own, shells }: CarriedHost, cause: CancelledBy & "orphaned"): Promise<void> {
  const [runs, live] = await Promise.all([own.inventory(), shells.inventory()])
  await Promise.all([
    ...live.map(({ shellUid }) => shells.close(shellUid, { reason: cause, background: "kill" })),
    ...runs.map(({ jobId }) => own.stop(jobId, { cause, graceMs: END_GRACE_MS })),
  ])
}
