import type { ShellUid } from "../../../../../core/kernel/ids.ts"
import type { ShellEnd } from "../../../../../core/shells/runner.ts"
import { hostDirectory, listHosts } from "../../host/owner.ts"
import { readShellJournal } from "./shell-journal.ts"

/**
 * The newest end of a shell that a host of this data directory journalled and nobody has acknowledged: one that went in order
 * left nothing to take over, and yet owes a server that end (spec shells.md §6, §15).
 */
export function recallShell(dataDirectory: string, shellUid: ShellUid): ShellEnd | undefined {
  const told = listHosts(dataDirectory).flatMap((hostId) => {
    const shells = readShellJournal(hostDirectory(dataDirectory, hostId))
    return shells.find((shell) => shell.shellUid === shellUid)?.closed ?? []
  })
  const [newest] = told.sort((a, b) => b.at - a.at)
  return newest && { state: newest.state, reason: newest.reason, at: newest.at }
}
