import { randomBytes } from "node:crypto"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "../../../../../../core/kernel/error.ts"
import type { Reach } from "../../../../../../core/shells/runner.ts"
import type { Gateway } from "../gateway.ts"
import { type ChannelCommand, runChannel } from "../relay/channel.ts"
import { type Askpass, createAskpass } from "./askpass.ts"
import { checkArguments, resolveArguments, type SshRole, type SshTarget, sshArguments } from "./command-line.ts"
import { sshFailure } from "./failure.ts"
import { knownRule, pinnedRule, shownKnownHosts } from "./host-keys.ts"
import { usableKey } from "./key-path.ts"
import { parseResolved, type ResolvedTarget } from "./resolved.ts"

/** What ssh shells need from their host; paths absolute. */
export interface SshPorts {
  /** Of the client: base environment, and the agent's socket where there is one. */
  readonly environment: Readonly<Record<string, string>>
  /** Private, short: sockets and askpass helpers. */
  readonly directory: string
  /** Our own known_hosts. */
  readonly knownHosts: string
  /** Keys that callers may name are inside it. */
  readonly keyDirectory: string
  readonly firstUse: "accept" | "refuse"
  /** Instead of the user's and the system's configuration. */
  readonly configFile?: string
}

type SshReach = Extract<Reach, { readonly kind: "ssh" }>

const RESOLVE_MS = 5000
const CHECK_MS = 2000
const HOST = /^[^\s\p{Cc}-][^\s\p{Cc}]{0,254}$/u

/** What `~/.ssh/config` makes of a target. Throws `capability_unavailable` without an ssh client, `ssh_failed` phase `resolve`. */
export async function resolveSsh(reach: SshReach, ports: SshPorts): Promise<ResolvedTarget> {
  if (!HOST.test(reach.host)) throw refusedHost()
  const answer = await runChannel(client(resolveArguments(targetOf(reach)), ports), { timeoutMs: RESOLVE_MS })
  if (answer.code === null) {
    throw new ToolError("capability_unavailable", "No ssh client is installed here. Install OpenSSH.", {
      details: { reason: "ssh_missing" },
      executionState: "not_started",
    })
  }
  const resolved = parseResolved(answer.stdout.toString("utf8"))
  if (answer.code !== 0 || resolved === undefined) throw refusedHost()
  return resolved
}

function refusedHost(): ToolError<"ssh_failed"> {
  return new ToolError(
    "ssh_failed",
    "ssh cannot make a target of that host. Check the name and the ssh configuration.",
    {
      details: { phase: "resolve" },
      executionState: "not_started",
    },
  )
}

/** The way to one target by the system's OpenSSH, with a master connection of its own (spec shells.md §9.2). Throws its refusals. */
export async function openSshGateway(reach: SshReach, ports: SshPorts): Promise<Gateway> {
  const resolved = await resolveSsh(reach, ports)
  const { auth, fingerprint } = reach
  const password = auth !== undefined && "password" in auth ? auth.password : undefined
  const keyPath = auth !== undefined && "keyPath" in auth ? usableKey(auth.keyPath, ports.keyDirectory) : undefined
  mkdirSync(ports.directory, { recursive: true, mode: 0o700 })
  const hostKeys =
    fingerprint === undefined
      ? knownRule({ own: ports.knownHosts, user: resolved.knownHostsFiles }, ports.firstUse)
      : pinnedRule(fingerprint, ports.directory)
  const target: SshTarget = { ...targetOf(reach), ...(keyPath === undefined ? {} : { keyPath }) }
  let socket = newSocket(ports.directory)
  let askpass: Askpass | undefined

  const command = (role: SshRole, more: SshTarget, env: Readonly<Record<string, string>> = {}): ChannelCommand =>
    client(sshArguments(more, { role, socket, hostKeys }), ports, env)

  function forgetSocket(): void {
    askpass?.close()
    askpass = undefined
    rmSync(socket, { force: true })
    socket = newSocket(ports.directory)
  }

  return {
    async link() {
      if (password === undefined) return command("master", target)
      askpass = await createAskpass(ports.directory, randomBytes(8).toString("hex"), password)
      return command("master", { ...target, withPassword: true }, askpass.env)
    },
    side: async () => command("through", target),
    async isHealthy() {
      const answer = await runChannel(client(checkArguments(targetOf(reach), socket), ports), { timeoutMs: CHECK_MS })
      return answer.code === 0
    },
    dropped: forgetSocket,
    renew: () => undefined,
    explain: ({ stderr }) =>
      sshFailure(stderr, {
        withPassword: password !== undefined,
        withKey: keyPath !== undefined,
        pinned: fingerprint !== undefined,
        shownPath: (path) => shownKnownHosts(path, ports.knownHosts),
      }),
    close: forgetSocket,
  }
}

const newSocket = (directory: string): string => join(directory, randomBytes(8).toString("hex"))

function targetOf({ host, user, port }: SshReach): SshTarget {
  return { host, ...(user === undefined ? {} : { user }), ...(port === undefined ? {} : { port }) }
}

function client(
  args: readonly string[],
  { environment, configFile }: SshPorts,
  more: Readonly<Record<string, string>> = {},
): ChannelCommand {
  const config = configFile === undefined ? [] : ["-F", configFile]
  return { program: "ssh", args: [...config, ...args], env: { ...environment, ...more } }
}
