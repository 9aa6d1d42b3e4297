import { accessSync, closeSync, constants, existsSync, openSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { ToolError } from "../../../../../../core/kernel/error.ts"
import { shellWord } from "../../quote.ts"
import type { HostKeyRule } from "./command-line.ts"

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/

/**
 * A pinned key: a command that prints the offered key as a known one only where its fingerprint is the wanted one, and no other
 * source of keys.
 */
export function pinnedRule(fingerprint: string, directory: string): HostKeyRule {
  if (!FINGERPRINT.test(fingerprint)) {
    throw new ToolError(
      "invalid_arguments",
      "fingerprint must be SHA256: and 43 base64 characters, as ssh-keygen -l prints it.",
      {
        details: { field: "fingerprint", fields: [{ path: "fingerprint", code: "format" }] },
        executionState: "not_started",
      },
    )
  }
  const script = join(directory, "pin")
  if (!existsSync(script)) {
    writeFileSync(script, `#!/bin/sh\n[ "$1" = "$2" ] && printf '%s %s %s\\n' "$3" "$4" "$5"\nexit 0\n`, {
      mode: 0o700,
    })
  }
  return { kind: "pinned", command: `/bin/sh ${shellWord(script)} ${fingerprint} %f %H %t %K` }
}

/**
 * Keys of the user's files and of ours. Ours stands first, since ssh stores a new key in the first one. Throws `ssh_failed` phase `host_key`
 * where one of them exists and cannot be read: a key that is not seen cannot be found changed.
 */
export function knownRule(
  files: { readonly own: string; readonly user: readonly string[] },
  firstUse: "accept" | "refuse",
): HostKeyRule {
  // Made by us, so that nobody else can read it.
  closeSync(openSync(files.own, "a", 0o600))
  const all = [files.own, ...files.user]
  if (!all.every((path) => !existsSync(path) || isReadable(path))) {
    throw new ToolError(
      "ssh_failed",
      "A known_hosts file cannot be read, so no host key can be checked. Make it readable.",
      {
        details: { phase: "host_key" },
        executionState: "not_started",
      },
    )
  }
  return { kind: "known", files: all, firstUse }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** How a known_hosts file is shown: without the places of this machine. */
export function shownKnownHosts(path: string, own: string): string {
  if (path === own) return "known_hosts of the data directory"
  const home = `${homedir()}/`
  return path.startsWith(home) ? `~/${path.slice(home.length)}` : path
}
