import { expect, it } from "vitest"
import { createHostClient } from "../../../adapters/runners/local/carrier/client.ts"
import { ConnectionLost } from "../../../adapters/runners/local/carrier/connection.ts"
import { type Contact, HostUnreachable, type Reached } from "../../../adapters/runners/local/carrier/contact.ts"
import { createKnownEnds } from "../../../adapters/runners/local/carrier/known-ends.ts"
import { createRemoteJobs } from "../../../adapters/runners/local/carrier/remote-jobs.ts"
import { createRemoteShells } from "../../../adapters/runners/local/carrier/remote-shells.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { specFor } from "../../contract/job-spec.ts"

const ids = createIds()
const provision = { secretsTo: () => undefined, environment: () => [] }

/** A way to a host that dies at its first start, after which none can be had; `dies` false: none could be had at all. */
function contactWith({ dies }: { readonly dies: boolean }): Contact {
  const closed = Promise.resolve()
  const connection: Reached["connection"] = {
    call: async () => {
      throw new ConnectionLost("The host died.")
    },
    tell: () => undefined,
    isOpen: true,
    closed,
    close: () => undefined,
  }
  let reached = dies ? 0 : 1
  return {
    hostId: "",
    async reach() {
      reached += 1
      if (reached > 1) throw new HostUnreachable("no host answers")
      return { hostId: "one", connection }
    },
    current: undefined,
    find: async () => undefined,
    isClosed: false,
    yield: () => undefined,
    close: () => undefined,
  }
}

const command = () => ({
  jobId: ids.job(),
  claimId: "claim",
  shellUid: ids.shellUid(),
  text: "true",
  streams: "split" as const,
  tty: false,
  env: [],
  resetCwd: false,
  timeoutMs: 1000,
  secrets: [],
})

it("a start whose host died, and of which no other host can be asked, is unknown", async () => {
  const jobs = () => createRemoteJobs(createHostClient(contactWith({ dies: true })), provision, createKnownEnds())
  const unknown = { kind: "outcome_unknown", executionState: "outcome_unknown" }
  await expect(jobs().start(specFor("/", "true"))).rejects.toMatchObject(unknown)
  await expect(jobs().startDetached(specFor("/", "true"), ids.instance())).rejects.toMatchObject(unknown)
  const shells = createRemoteShells(createHostClient(contactWith({ dies: true })), provision, createKnownEnds())
  await expect(shells.exec(command())).rejects.toMatchObject(unknown)
})

it("one that never reached a host is refused", async () => {
  const refused = { kind: "runner_unavailable" }
  const jobs = createRemoteJobs(createHostClient(contactWith({ dies: false })), provision, createKnownEnds())
  await expect(jobs.start(specFor("/", "true"))).rejects.toMatchObject(refused)
  const shells = createRemoteShells(createHostClient(contactWith({ dies: false })), provision, createKnownEnds())
  await expect(shells.exec(command())).rejects.toMatchObject(refused)
})
