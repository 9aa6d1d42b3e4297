import { homedir } from "node:os"
import { join } from "node:path"
import type { StartSpec } from "../../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../../core/kernel/error.ts"
import type { Reach, ShellRunner, ShellSpec } from "../../../../../core/shells/runner.ts"
import type { MaskText } from "../../host/naming.ts"
import { findProgram } from "../../host/program.ts"
import type { Tokens } from "../tokens.ts"
import type { SeatOpener } from "../transport.ts"
import { openContainerGateway } from "./container/container-gateway.ts"
import { answeringEngines, chooseEngine, type EngineName } from "./container/engine.ts"
import type { Gateway } from "./gateway.ts"
import { type StartedOneShot, startOneShot } from "./one-shot/start-one-shot.ts"
import { createRemoteOpener } from "./remote-opener.ts"
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
  now(): number
}

const ENGINES_KNOWN_MS = 60_000

/** The kinds of shells elsewhere that can be opened from here. */
export interface RemoteParts {
  openerFor(spec: ShellSpec, secrets: () => readonly string[]): SeatOpener
  readonly resolve: ShellRunner["resolve"]
  /** One command on another machine, without state. */
  startOneShot(spec: StartSpec): Promise<StartedOneShot>
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

  async function gatewayFor({ reach }: { readonly reach: Reach }): Promise<Gateway> {
    if (reach.kind === "ssh") {
      return openSshGateway(reach, sshPorts)
    }
    if (reach.kind === "docker") {
      const engine = await chooseEngine(environment, options.containerEngine)
      return openContainerGateway(reach.container, { engine, environment })
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
    openerFor: (spec, secrets) =>
      createRemoteOpener(spec, { gatewayFor, tokens: options.tokens, mask: options.mask, secrets, now: options.now }),
    async resolve(reach) {
      const { host, user, port, proxy } = await resolveSsh(reach, sshPorts)
      return { host, user, port, proxy }
    },
    async startOneShot(spec) {
      const gateway = await gatewayFor({ reach: spec.reach ?? { kind: "local" } })
      return startOneShot(spec, { gateway, tokens: options.tokens })
    },
    capabilities: async () => ({
      ssh: findProgram("ssh", environment.PATH ?? "") !== undefined,
      containers: await engines(),
    }),
  }
}
