import type { RunFacts } from "../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { ShellUid } from "../../../../core/kernel/ids.ts"
import type { ShellEnd, ShellFacts, ShellRunner } from "../../../../core/shells/runner.ts"
import type { HostClient } from "./client.ts"
import { ConnectionLost } from "./connection.ts"
import type { KnownEnds } from "./known-ends.ts"
import type { Provision } from "./provision.ts"
import type { ToldRun } from "./told-run.ts"

/** The `ShellRunner` of a host in another process, and what this server opened there. */
export interface RemoteShells extends ShellRunner {
  /** Shells that were opened by this server and whose end is not acknowledged. */
  opened(): readonly ShellUid[]
}

/** The port over a socket. Claims die with their host: nothing was run by them, and the next host gives new ones. */
export function createRemoteShells(
  client: HostClient,
  provision: Provision,
  ends: Pick<KnownEnds, "note">,
): RemoteShells {
  const opened = new Set<ShellUid>()
  /** The host that gave a claim. */
  const claims = new Map<string, string>()
  let followed = ""

  return {
    opened: () => [...opened],
    async open(spec) {
      opened.add(spec.shellUid)
      return client.ask<ShellFacts>("shells.open", (host) => {
        provision.secretsTo(host)
        // Another machine has its own PATH and HOME.
        return [spec.reach.kind === "local" ? { ...spec, env: provision.environment(spec.env) } : spec]
      })
    },
    async claim(shellUid, { whenBusy, signal }) {
      let hostId = ""
      const claim = await client.ask<Awaited<ReturnType<ShellRunner["claim"]>>>("shells.claim", (host) => {
        hostId = host.hostId
        return [shellUid, { whenBusy, ...(signal === undefined ? {} : { signal }) }]
      })
      claims.set(claim.claimId, hostId)
      return claim
    },
    async release(claimId) {
      claims.delete(claimId)
      await client.askKnown("shells.release", () => [claimId], undefined)
    },
    async exec(spec) {
      const claimedAt = claims.get(spec.claimId)
      claims.delete(spec.claimId)
      let asked = false
      for (;;) {
        const host = await client.host().catch((error: unknown) => {
          // Nobody can be asked what the host that died had begun.
          throw asked ? execUnknown() : error
        })
        try {
          if (claimedAt !== undefined && claimedAt !== host.hostId) {
            const known = await client.askOnce<RunFacts | undefined>(host, "jobs.facts", [spec.jobId])
            if (known !== undefined) return known
            throw (await client.wasAccepted(host, claimedAt, spec.jobId)) ? execUnknown() : claimLost()
          }
          provision.secretsTo(host)
          asked = true
          return ends.note(await client.askOnce<ToldRun>(host, "shells.exec", [spec]))
        } catch (error) {
          if (!(error instanceof ConnectionLost)) throw error
        }
      }
    },
    resolve: (reach) => client.ask("shells.resolve", () => [reach]),
    close: (...args) => client.ask("shells.close", () => args),
    facts: (shellUid) => client.askKnown<ShellFacts | undefined>("shells.facts", () => [shellUid], undefined),
    touch: (shellUid) => client.askKnown("shells.touch", () => [shellUid], undefined),
    inventory: () => client.askKnown<readonly ShellFacts[]>("shells.inventory", () => [], []),
    async events({ since, signal }) {
      const nothing = { sequence: since, shellUids: [] }
      const host = await client.appears(signal)
      if (host === undefined) return nothing
      const from = host.hostId === followed ? since : 0
      followed = host.hostId
      try {
        return await client.askOnce(host, "shells.events", [
          { since: from, ...(signal === undefined ? {} : { signal }) },
        ])
      } catch (error) {
        if (error instanceof ConnectionLost) return nothing
        throw error
      }
    },
    async ack(shellUids) {
      for (const uid of shellUids) opened.delete(uid)
      await client.askKnown("shells.ack", () => [shellUids], undefined)
    },
    recall: (...args) => client.ask<ShellEnd | undefined>("shells.recall", () => args),
    checkpoint: (shellUid, label) => client.askMutating("shells.checkpoint", [shellUid, label]),
    checkpoints: (shellUid) => client.ask("shells.checkpoints", () => [shellUid]),
    restore: (shellUid, checkpointId) => client.askMutating("shells.restore", [shellUid, checkpointId]),
    capabilities: () => client.ask("shells.capabilities", () => []),
  }
}

function claimLost(): ToolError<"runner_unavailable"> {
  return new ToolError(
    "runner_unavailable",
    "The Runner host died before this command reached the shell. Send it again.",
    {
      details: { client_id: "local" },
      executionState: "not_started",
    },
  )
}

function execUnknown(): ToolError<"outcome_unknown"> {
  return new ToolError(
    "outcome_unknown",
    "The Runner host died as this command was given to the shell; it may have run. Look at its effects before it is run again.",
    { details: { reason: "host_lost" }, executionState: "outcome_unknown" },
  )
}
