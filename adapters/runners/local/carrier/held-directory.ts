import { spawn } from "node:child_process"
import { closeSync, lutimesSync, openSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** A directory that cleaners of temporary files leave alone. */
export interface HeldDirectory {
  /** It and what lies directly in it were used just now. */
  touch(): void
  close(): void
}

/**
 * Holds a shared BSD lock on a directory, which `systemd-tmpfiles` respects, through flock(1): the runtimes have no flock(2),
 * and a lock belongs to the open file, not to the process that asked for it. Without that program age alone protects it.
 */
export function holdDirectory(path: string): HeldDirectory {
  const fd = openSync(path, "r")
  // It cannot be started, or somebody holds it exclusively: a cleaner, which is then too late.
  spawn("flock", ["--shared", "--nonblock", "0"], { stdio: [fd, "ignore", "ignore"] }).on("error", () => undefined)
  return {
    touch() {
      for (const each of [path, ...entriesOf(path)]) touchOne(each)
    },
    close: () => closeSync(fd),
  }
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path).map((name) => join(path, name))
  } catch {
    return []
  }
}

function touchOne(path: string): void {
  const now = new Date()
  try {
    lutimesSync(path, now, now)
  } catch {
    // It has just gone; what must be there the next repair makes again.
  }
}
