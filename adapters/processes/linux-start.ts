import { readFileSync } from "node:fs"

/** What the operating system says of a pid: when its process started, that there is none, or nothing. */
export type PidStart = { readonly startedAt: string } | "gone" | "unknown"

const code = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

/**
 * Boot id and start tick of a pid from /proc: together they name one process for ever. A zombie counts as gone: it
 * runs nothing any more.
 */
export function linuxPidStart(pid: number, proc = "/proc"): PidStart {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const [state, tick] = [fields[0], fields[19]]
    if (state === "Z" || state === "X") return "gone"
    if (tick === undefined) return "unknown"
    const boot = readFileSync(`${proc}/sys/kernel/random/boot_id`, "utf8").trim()
    return { startedAt: `${boot}:${tick}` }
  } catch (error) {
    return code(error) === "ENOENT" || code(error) === "ESRCH" ? "gone" : "unknown"
  }
}
