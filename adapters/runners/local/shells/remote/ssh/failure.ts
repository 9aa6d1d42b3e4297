import { ToolError } from "../../../../../../core/kernel/error.ts"
import type { ErrorDetails } from "../../../../../../core/kernel/error-kinds.ts"

type Phase = ErrorDetails<"ssh_failed">["phase"]

const NOT_STARTED = { executionState: "not_started" } as const
const CHANGED = /Host key for (.+?) has changed/
const OFFENDING = /Offending (?:\S+ )?key in (.+):(\d+)/
const UNKNOWN = /No \S+ host key is known for/
const RESOLVE = /Could not resolve hostname|Name or service not known|nodename nor servname/
const AUTH = /Permission denied|Too many authentication failures|No more authentication methods|no such identity/i
const DENIED = /Permission denied \(([a-z,-]+)\)/
const HOST_KEY = /Host key verification failed|no matching host key type|KnownHostsCommand/i
const OLD = /Bad configuration option: knownhostscommand|Bad configuration option: knownHostsCommand/i

const SENTENCES: Readonly<Record<Phase, string>> = {
  resolve: "The host's name could not be resolved. Check the name, or the alias in the ssh configuration.",
  connect: "The host could not be reached by ssh. Check that it runs and that the port is right, then retry.",
  host_key: "The host's key is not the one that was asked for, or none could be checked. Check the fingerprint.",
  auth: "The host refused the login. Check user, key or password.",
  remote_dir: "No directory on the host can be written.",
  shell: "The host let us in, but its shell did not answer. Check what its login files print or start.",
}

/** What a failed attempt means, from what the ssh client wrote to its stderr (spec shells.md §9.2). No key material, no banner. */
export function sshFailure(
  stderr: string,
  context: {
    readonly withPassword: boolean
    readonly withKey: boolean
    readonly pinned: boolean
    shownPath(path: string): string
  },
): ToolError {
  const changed = CHANGED.exec(stderr)
  const offending = OFFENDING.exec(stderr)
  if (changed?.[1] !== undefined && offending?.[1] !== undefined && !context.pinned) {
    const details = { host: changed[1], file: context.shownPath(offending[1]), line: Number(offending[2]) }
    const where = `line ${details.line} of ${details.file}`
    const sentence = `The key of ${details.host} has changed since it was stored (${where}). If the host was really given a new key, have that line removed by hand.`
    return new ToolError("host_key_changed", sentence.slice(0, 500), { details, ...NOT_STARTED })
  }
  if (OLD.test(stderr)) {
    return new ToolError("capability_unavailable", "A pinned fingerprint needs OpenSSH 8.5 or later here.", {
      details: { reason: "ssh_version" },
      ...NOT_STARTED,
    })
  }
  if (UNKNOWN.test(stderr) && !context.pinned) {
    const sentence =
      "The host's key is not known here, and unknown ones are refused. Have it added to known_hosts first."
    return new ToolError("host_key_unknown", sentence, NOT_STARTED)
  }
  const phase = phaseOf(stderr)
  if (phase === "auth" && wantsMore(stderr, context)) return authRequired()
  return new ToolError("ssh_failed", SENTENCES[phase], {
    details: { phase },
    ...(phase === "connect" ? { recovery: "retry_later" } : {}),
    ...NOT_STARTED,
  })
}

/**
 * The host asks for something that only a person has, such as a password; a key that was named and refused is a fault of its own, unless
 * the host takes no keys at all.
 */
function wantsMore(stderr: string, context: { readonly withPassword: boolean; readonly withKey: boolean }): boolean {
  const methods = DENIED.exec(stderr)?.[1]?.split(",") ?? []
  const isAsked = methods.includes("password") || methods.includes("keyboard-interactive")
  return !context.withPassword && isAsked && !(context.withKey && methods.includes("publickey"))
}

function authRequired(): ToolError<"ssh_auth_required"> {
  return new ToolError(
    "ssh_auth_required",
    "The host lets nobody in by a key that was offered, and asks for a password or for answers at a keyboard. Name a key it accepts in key_path, or send password if it takes one; for a named resource set up a key.",
    NOT_STARTED,
  )
}

/** The password that a shell was opened with was kept in memory alone, and the host that had it is gone (spec shells.md §9.2). */
export function passwordGone(): ToolError<"ssh_auth_required"> {
  return new ToolError(
    "ssh_auth_required",
    "The password for this shell's host was in memory only and went with the Runner. Destroy this shell and create one with the password.",
    NOT_STARTED,
  )
}

function phaseOf(stderr: string): Phase {
  if (HOST_KEY.test(stderr)) return "host_key"
  if (RESOLVE.test(stderr)) return "resolve"
  if (AUTH.test(stderr)) return "auth"
  return /ssh:|kex_exchange|Connection (?:closed|reset|timed out|refused)|banner exchange/.test(stderr)
    ? "connect"
    : "shell"
}
