import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import type { Seat, SeatOpener } from "../transport.ts"
import type { FarGeneration } from "./adopt/far-card.ts"
import type { ContainerLife } from "./container/inspect.ts"
import type { Gateway } from "./gateway.ts"
import { lazyGateway } from "./lazy-gateway.ts"
import { createRemoteSeats, type RemoteSeats, type RemoteSeatsPorts } from "./remote-seats.ts"
import { passwordGone } from "./ssh/failure.ts"

/** What a shell on a target needs beside its spec. */
export interface RemoteOpenerPorts extends Omit<RemoteSeatsPorts, "gateway"> {
  /** The way to the target; `life`: the one that is known of its container. Throws what refuses it. */
  gatewayFor(to: Pick<ShellSpec, "reach">, life?: ContainerLife): Promise<Gateway>
}

/**
 * Opens the generations of one shell on a target; the way there is looked for at the first. `adopted`: that one was another
 * host's, and nobody waits for the target.
 */
export function createRemoteOpener(spec: ShellSpec, ports: RemoteOpenerPorts, adopted?: FarGeneration): SeatOpener {
  let seats: RemoteSeats | undefined

  async function held(): Promise<RemoteSeats> {
    seats ??= createRemoteSeats(spec, { ...ports, gateway: await ports.gatewayFor(spec) })
    return seats
  }

  if (adopted !== undefined) {
    const { reach, life } = adopted.card
    const gateway = lazyGateway(async () => {
      if (reach.kind === "ssh" && reach.withPassword) throw passwordGone()
      return ports.gatewayFor(spec, life)
    })
    seats = createRemoteSeats(spec, { ...ports, gateway }, adopted)
  }

  return {
    checkpoints: {
      get isAutomatic() {
        return seats?.checkpoints.isAutomatic === true
      },
      create: async (label) => (await held()).checkpoints.create(label),
      list: async () => (await held()).checkpoints.list(),
      restore: async (id) => (await held()).checkpoints.restore(id),
    },
    open: async () => (await held()).open(),
    reopen: async (last: Seat, why) => (await held()).reopen(last, why),
  }
}
