import { spawnSync } from "node:child_process"

/** Whether a process runs; one that has ended and that nobody has asked about yet does not. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" })
  const state = stdout.trim()
  return state !== "" && !state.startsWith("Z")
}
