import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RunningHost } from "../../adapters/runners/local/carrier/host-process.ts"
import type { HostStart } from "../../adapters/runners/local/carrier/host-start.ts"
import { runLocalHost } from "../../adapters/runners/local/carrier/run-local-host.ts"
import { createSocketCarrier, type SocketCarrier } from "../../adapters/runners/local/carrier/socket-carrier.ts"
import { createIds } from "../../core/kernel/ids.ts"
import { createSecretRegistry, type Secrets } from "../../core/kernel/secrets.ts"
import type { RunnerHostStore } from "../../core/runners/host-store.ts"
import { createRowInMemory } from "../support/row-in-memory.ts"

/** A host that this process carries and a server's side of it, over a real socket. */
export interface SocketHost {
  readonly carrier: SocketCarrier
  readonly secrets: Secrets
  readonly home: string
  readonly root: string
  readonly rows: RunnerHostStore
  /** What the host's log got. */
  readonly log: readonly string[]
  /** The hosts that were made, oldest first. */
  readonly hosts: readonly RunningHost[]
  /** The side of a second server. */
  beside(secrets?: Secrets): SocketCarrier
  close(): Promise<void>
}

/** Opens one with a host that ends as soon as nobody needs it. */
export async function openSocketHost(
  environment: Readonly<Record<string, string | undefined>>,
  { abandonMs }: { readonly abandonMs?: number } = {},
): Promise<SocketHost> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "hf-socket-")))
  const root = await mkdtemp(join(home, "root-"))
  const dataDirectory = join(home, "data")
  await mkdir(dataDirectory)
  const rows = createRowInMemory()
  const log: string[] = []
  const hosts: RunningHost[] = []
  const carriers: SocketCarrier[] = []
  const ids = createIds()

  async function launch(start: HostStart) {
    const host = await runLocalHost({ start, environment, log: (line) => log.push(line) })
    hosts.push(host)
    return { pid: process.pid, ended: host.ended }
  }

  function side(secrets: Secrets): SocketCarrier {
    const carrier = createSocketCarrier({
      dataDirectory,
      runtimeDirectory: join(home, "run"),
      version: "1",
      command: ["never"],
      environment: { server: environment },
      limits: {},
      lingerMs: 0,
      ...(abandonMs === undefined ? {} : { abandonMs }),
      rows,
      secrets,
      newHostId: () => ids.instance(),
      now: () => Date.now(),
      report: (error) => log.push(String(error)),
      launch,
    })
    carriers.push(carrier)
    return carrier
  }

  const secrets = createSecretRegistry()
  return {
    carrier: side(secrets),
    secrets,
    home,
    root,
    rows,
    log,
    hosts,
    beside: (other = createSecretRegistry()) => side(other),
    async close() {
      for (const carrier of carriers) carrier.close()
      for (const host of hosts) host.shutdown()
      await Promise.all(hosts.map(({ ended }) => ended))
      await rm(home, { recursive: true, force: true })
    },
  }
}
