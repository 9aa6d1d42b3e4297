import { readlinkSync } from "node:fs"
import { hostname } from "node:os"
import type { ProcessProbe } from "../../core/kernel/instances.ts"
import type { PidStart } from "./linux-start.ts"
import { linuxPidStart } from "./linux-start.ts"
import { psPidStart } from "./ps-start.ts"

/** Asks the operating system about one pid of this host. */
export type AskPid = (pid: number) => PidStart

/** Host name and pid namespace: pids of two containers that share a name are not the same pids. */
function thisHost(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    return hostname()
  }
}

const systemAsk: AskPid = process.platform === "linux" ? (pid) => linuxPidStart(pid) : psPidStart

/** Tells which server processes of a data directory are proven gone (spec kernel.md §15). */
export function createProcessProbe(ask: AskPid = systemAsk): ProcessProbe {
  const host = thisHost()
  const start = ask(process.pid)
  const pidStartedAt = typeof start === "object" ? start.startedAt : "unknown"
  return {
    self: () => ({ host, pid: process.pid, pidStartedAt }),
    isGone(instance) {
      if (instance.host !== host) return false
      const found = ask(instance.pid)
      if (found === "gone") return true
      return found !== "unknown" && instance.pidStartedAt !== "unknown" && found.startedAt !== instance.pidStartedAt
    },
  }
}
