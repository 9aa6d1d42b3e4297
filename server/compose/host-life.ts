import type { SocketCarrier } from "../../adapters/runners/local/index.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
import type { Store } from "../../core/store.ts"

/**
 * Meets the host of the data directory in the background: one that lives, or the next one where something may live that a
 * dead one held (spec shells.md §6). Without such a thing none is started before a call needs it.
 */
export function meetHost(carrier: SocketCarrier, store: Store, telemetry: Telemetry): void {
  const meet = async (): Promise<void> => {
    const isNeeded = await store.read(async (tx) => {
      if ((await tx.shells.live({})).length > 0) return true
      return (await tx.jobs.active({})).length > 0
    })
    await carrier.meet(isNeeded)
  }
  meet().catch((error: unknown) => telemetry.fault(error, { requestId: "runner host" }))
}

/**
 * The last line of a server that leaves shells and commands running names them (spec shells.md §6): those of its own host, or
 * all of the data directory where the host is shared, for rows keep the id of the host that started them.
 */
export async function nameKept(store: Store, telemetry: Telemetry, hostId: string | undefined): Promise<void> {
  const isKept = (row: { readonly hostId?: string }): boolean => hostId === undefined || row.hostId === hostId
  const { jobs, shells } = await store.read(async (tx) => ({
    jobs: (await tx.jobs.active({})).filter(isKept),
    shells: (await tx.shells.live({})).filter(isKept),
  }))
  if (jobs.length === 0 && shells.length === 0) return
  telemetry.note("stopped; these go on", {
    ...(shells.length === 0 ? {} : { shells: shells.map(({ shellId }) => shellId).join(" ") }),
    ...(jobs.length === 0 ? {} : { jobs: jobs.map(({ jobId }) => jobId).join(" ") }),
  })
}
