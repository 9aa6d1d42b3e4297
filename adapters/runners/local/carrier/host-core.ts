import type { Secrets } from "../../../../core/kernel/secrets.ts"
import { createJobHost } from "../host/host.ts"
import type { CarriedHost } from "./host-process.ts"
import type { HostStart } from "./host-start.ts"

/** The core of a host in a process of its own: the very core that is carried inline elsewhere. */
export function createCarriedHost(
  start: HostStart,
  environment: Readonly<Record<string, string | undefined>>,
  secrets: Pick<Secrets, "redactor">,
): CarriedHost {
  const host = createJobHost({
    hostId: start.hostId,
    dataDirectory: start.dataDirectory,
    runtimeDirectory: start.runtimeDirectory,
    environment: { server: environment },
    limits: start.limits,
    ...(start.remote === undefined ? {} : { remote: start.remote }),
    mask: (literals) => secrets.redactor().with(literals).byteStream(),
    now: () => Date.now(),
  })
  const { shells } = host
  return {
    jobs: host,
    shells,
    isHolding: () => host.isHolding(),
    adopt: () => host.adopt(),
    repair: async () => undefined,
    close: (processes) => host.close(processes),
  }
}
