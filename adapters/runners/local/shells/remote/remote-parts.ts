import { homedir } from "node:os"
import { join } from "node:path"
import type { StartSpec } from "../../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../../core/kernel/error.ts"
import type { Reach, ShellRunner, ShellSpec } from "../../../../../core/shells/runner.ts"
import type { MaskText } from "../../host/naming.ts"
import { findProgram } from "../../host/program.ts"
import type { ShellJournal } from "../adopt/shell-journal.ts"
import { SHELL_MARKER } from "../marker.ts"
import type { Tokens } from "../tokens.ts"
import type { SeatOpener } from "../transport.ts"
import type { FarCard, FarGeneration } from "./adopt/far-card.ts"
import { reachOfCard } from "./adopt/far-reach.ts"
import { endFarRelay } from "./adopt/take-up-far.ts"
import { openContainerGateway } from "./container/container-gateway.ts"
import { answeringEngines, chooseEngine, type EngineName } from "./container/engine.ts"
import type { ContainerLife } from "./container/inspect.ts"
import type { Gateway } from "./gateway.ts"
import { lazyGateway } from "./lazy-gateway.ts"
import { keepOneShotCard, readOneShotCard, removeOneShotCard } from "./one-shot/one-shot-card.ts"
import { resumeOneShot } from "./one-shot/resume-one-shot.ts"
import { type StartedOneShot, startOneShot } from "./one-shot/start-one-shot.ts"
import { createRemoteOpener } from "./remote-opener.ts"
import { silenceFor } from "./remote-seats.ts"
import type { RemoteSettings } from "./settings.ts"
import { openSshGateway, resolveSsh, type SshPorts } from "./ssh/ssh-gateway.ts"

/** What shells elsewhere need from their host; paths absolute. */
export interface RemotePartsOptions extends RemoteSettings {
  readonly environment: Readonly<Record<string, string>>
  readonly dataDirectory: string
  /** The host's folder of the runtime directory: sockets get short paths in it. */
  readonly privateDirectory: string
  readonly tokens: Tokens
  readonly mask: MaskText
  readonly journal: Pick<ShellJournal, "append">
  /** Of this machine. */
  readonly boot: string
  now(): number
}

const ENGINES_KNOWN_MS = 60_000

/** A command that a host which is gone had taken on. */
export interface ResumableOneShot {
  readonly text: string
  /** Absent: nothing was sent to the target. */
  resume?(): StartedOneShot
}

/** The kinds of shells elsewhere that can be opened from here. */
export interface RemoteParts {
  openerFor(spec: ShellSpec, secrets: () => readonly string[], adopted?: FarGeneration): SeatOpener
  /** Ends what is left of a shell with which nobody goes on, if its target can be reached. */
  endFar(card: FarCard): Promise<void>
  readonly resolve: ShellRunner["resolve"]
  /** One command on another machine, without state. */
  startOneShot(spec: StartSpec): Promise<StartedOneShot>
  /** One that a host which is gone had started, by what that one kept in its folder; `undefined`: nothing can be known of it. */
  resumeOneShot(runtime: string, jobId: string): ResumableOneShot | undefined
  capabilities(): Promise<{ readonly ssh: boolean; readonly containers: readonly EngineName[] }>
}

/** Ways to targets by the programs of this machine. */
export function createRemoteParts(options: RemotePartsOptions): RemoteParts {
  const { environment, sshAgentSocket: agent } = options
  const sshPorts: SshPorts = {
    environment: agent === undefined ? environment : { ...environment, SSH_AUTH_SOCK: agent },
    directory: join(options.privateDirectory, "m"),
    knownHosts: join(options.dataDirectory, "known_hosts"),
    keyDirectory: options.sshKeyDirectory ?? join(homedir(), ".ssh"),
    firstUse: options.sshFirstUse ?? "accept",
    ...(options.sshConfigFile === undefined ? {} : { configFile: options.sshConfigFile }),
  }

  async function gatewayFor({ reach }: { readonly reach: Reach }, life?: ContainerLife): Promise<Gateway> {
    if (reach.kind === "ssh") {
      return openSshGateway(reach, sshPorts)
    }
    if (reach.kind === "docker") {
      const engine = await chooseEngine(environment, options.containerEngine)
      return openContainerGateway(reach.container, { engine, environment, ...(life === undefined ? {} : { life }) })
    }
    throw new ToolError("capability_unavailable", "This shell is not elsewhere.", {
      details: { reason: "local" },
      executionState: "not_started",
    })
  }

  /** Asking engines starts processes, so an answer holds for a while. */
  let known: { readonly at: number; readonly engines: Promise<readonly EngineName[]> } | undefined
  function engines(): Promise<readonly EngineName[]> {
    const wanted = options.containerEngine
    if (known === undefined || performance.now() - known.at > ENGINES_KNOWN_MS) {
      const asked = answeringEngines(environment, wanted === undefined ? undefined : [wanted])
      known = { at: performance.now(), engines: asked }
    }
    return known.engines
  }

  return {
    openerFor: (spec, secrets, adopted) => createRemoteOpener(spec, { ...options, gatewayFor, secrets }, adopted),
    async endFar({ shellUid, reach, life, place, spec }) {
      const gateway = lazyGateway(() => gatewayFor({ reach: reachOfCard(reach) }, life))
      await endFarRelay({ place, marker: `${SHELL_MARKER}=${shellUid}` }, gateway, silenceFor(spec))
    },
    async resolve(reach) {
      const { host, user, port, proxy } = await resolveSsh(reach, sshPorts)
      return { host, user, port, proxy }
    },
    async startOneShot(spec) {
      const card = keepOneShotCard(spec, options.privateDirectory)
      try {
        const gateway = await gatewayFor({ reach: spec.reach ?? { kind: "local" } })
        return await startOneShot(spec, { gateway, tokens: options.tokens, card })
      } catch (error) {
        card.remove()
        throw error
      }
    },
    resumeOneShot(runtime, jobId) {
      const card = readOneShotCard(runtime, jobId)
      if (card === undefined) return undefined
      const { sent, text } = card
      if (sent === undefined) return { text }
      const gateway = lazyGateway(() => gatewayFor({ reach: reachOfCard(card.reach) }))
      const forget = (): void => removeOneShotCard(runtime, jobId)
      return { text, resume: () => resumeOneShot(jobId, { ...card, sent }, { gateway, forget }) }
    },
    capabilities: async () => ({
      ssh: findProgram("ssh", environment.PATH ?? "") !== undefined,
      containers: await engines(),
    }),
  }
}
