import { spawnSync } from "node:child_process"
import type { PidStart } from "./linux-start.ts"

/** The start time of a pid as `ps` prints it, for systems without /proc. */
export function psPidStart(pid: number): PidStart {
  const { status, stdout, error } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: 2000,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
  })
  if (error !== undefined || status === null) return "unknown"
  const startedAt = stdout.trim()
  return startedAt === "" ? "gone" : { startedAt }
}
