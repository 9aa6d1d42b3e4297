/** What one ssh client needs to know; nothing in it is a secret. */
export interface SshTarget {
  readonly host: string
  readonly user?: string
  readonly port?: number
  /** Absolute path of a private key: only this one is tried. */
  readonly keyPath?: string
  /** The server asks for a password; the askpass helper answers. */
  readonly withPassword?: boolean
}

/** Which server keys are taken (spec shells.md §9.2). */
export type HostKeyRule =
  | { readonly kind: "pinned"; readonly command: string }
  | { readonly kind: "known"; readonly files: readonly string[]; readonly firstUse: "accept" | "refuse" }

/** Whether a client carries the connection of a shell, or goes through one that stands. */
export type SshRole = "master" | "through"

const CONNECT_SECONDS = 15
const ALIVE_SECONDS = 15
const ALIVE_COUNT = 3

/** Arguments of `ssh` for one client whose far end is an `sh`; `~/.ssh/config` says the rest. */
export function sshArguments(
  target: SshTarget,
  options: { readonly role: SshRole; readonly socket: string; readonly hostKeys: HostKeyRule },
): readonly string[] {
  return [
    "-T",
    ...optionList({
      ConnectTimeout: CONNECT_SECONDS,
      ServerAliveInterval: ALIVE_SECONDS,
      ServerAliveCountMax: ALIVE_COUNT,
      ControlMaster: options.role === "master" ? "yes" : "no",
      ControlPath: options.socket,
      ControlPersist: "no",
      // A configuration for people must not run, forward or ask anything here.
      RemoteCommand: "none",
      RequestTTY: "no",
      PermitLocalCommand: "no",
      ClearAllForwardings: "yes",
      UpdateHostKeys: "no",
      ...authentication(target),
      ...hostKeyOptions(options.hostKeys),
    }),
    ...endpoint(target),
    "exec sh",
  ]
}

/** Arguments that ask the master of a socket whether it lives. */
export function checkArguments(target: SshTarget, socket: string): readonly string[] {
  return ["-O", "check", ...optionList({ ControlPath: socket }), ...endpoint(target)]
}

/** Arguments that print what `~/.ssh/config` makes of a target. */
export function resolveArguments(target: SshTarget): readonly string[] {
  return ["-G", ...endpoint(target)]
}

function endpoint({ host, user, port }: SshTarget): readonly string[] {
  const more = [...(port === undefined ? [] : ["-p", `${port}`]), ...(user === undefined ? [] : ["-l", user])]
  return [...more, "--", host]
}

function authentication({ keyPath, withPassword }: SshTarget): Readonly<Record<string, string | number>> {
  if (withPassword === true) {
    return {
      BatchMode: "no",
      NumberOfPasswordPrompts: 1,
      PubkeyAuthentication: "no",
      PreferredAuthentications: "password,keyboard-interactive",
    }
  }
  if (keyPath === undefined) return { BatchMode: "yes" }
  return { BatchMode: "yes", IdentityFile: optionWord(keyPath), IdentitiesOnly: "yes", IdentityAgent: "none" }
}

function hostKeyOptions(rule: HostKeyRule): Readonly<Record<string, string>> {
  if (rule.kind === "pinned") {
    return {
      StrictHostKeyChecking: "yes",
      UserKnownHostsFile: "none",
      GlobalKnownHostsFile: "none",
      KnownHostsCommand: rule.command,
      VerifyHostKeyDNS: "no",
    }
  }
  return {
    StrictHostKeyChecking: rule.firstUse === "accept" ? "accept-new" : "yes",
    UserKnownHostsFile: rule.files.map(optionWord).join(" "),
    VerifyHostKeyDNS: "no",
    HashKnownHosts: "no",
  }
}

function optionList(options: Readonly<Record<string, string | number>>): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`])
}

/** A path as one word of an option; `%` is a sign of ssh's own. */
export function optionWord(path: string): string {
  return `"${path.replaceAll("%", "%%")}"`
}
