import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import type { Seat, SeatOpener } from "../transport.ts"
import type { Gateway } from "./gateway.ts"
import { createRemoteSeats, type RemoteSeats, type RemoteSeatsPorts } from "./remote-seats.ts"

/** What a shell on a target needs beside its spec. */
export interface RemoteOpenerPorts extends Omit<RemoteSeatsPorts, "gateway"> {
  /** The way to the target. Throws what refuses it. */
  gatewayFor(spec: ShellSpec): Promise<Gateway>
}

/** Opens the generations of one shell on a target; the way there is looked for at the first. */
export function createRemoteOpener(spec: ShellSpec, ports: RemoteOpenerPorts): SeatOpener {
  let seats: RemoteSeats | undefined

  async function held(): Promise<RemoteSeats> {
    seats ??= createRemoteSeats(spec, { ...ports, gateway: await ports.gatewayFor(spec) })
    return seats
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
