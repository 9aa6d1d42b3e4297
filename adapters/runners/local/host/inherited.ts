import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import process from "node:process"

const FIRST_OTHER = 3
/** The flag of a descriptor that no child gets, as the kernel writes it: octal 02000000. */
const CLOSE_ON_EXEC = 0o2000000

/**
 * The descriptors from 3 on that this process got from its parent and would pass on to every child; its own are opened
 * closed-on-exec, and those of `/dev/null` tell a child nothing. None where the system does not tell, and none on Deno, which takes no descriptor beyond the third for a
 * child: there a child may read what the server itself was given.
 */
export function inheritedDescriptors(): readonly number[] {
  if ("deno" in process.versions) return []
  return descriptors().filter((fd) => fd >= FIRST_OTHER && isPassedOn(fd))
}

function descriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fdinfo").map(Number)
  } catch {
    return []
  }
}

function isPassedOn(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1]
    const isPassed = flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
    return isPassed && readlinkSync(`/proc/self/fd/${fd}`) !== "/dev/null"
  } catch {
    // It was the one that read the directory.
    return false
  }
}
