import { closeSync, openSync, readSync } from "node:fs"
import type { ProcessTable } from "../host/process-table.ts"

const FIRST_READ_BYTES = 4096
/** An idle shell starts nothing: that it had no child is believed for so long. */
const BELIEVED_MS = 5

/** Looks at the direct children of one process. */
export interface Children {
  /** Pids, zombies included. */
  look(): readonly number[]
  /** The same of an idle shell, which costs nothing right after a look that saw none. */
  lookAtRest(): readonly number[]
  close(): void
}

/** One system call a look where the kernel lists children, else one look at the process table. */
export function createChildren(pid: number, processes: ProcessTable): Children {
  const buffer = Buffer.alloc(FIRST_READ_BYTES)
  let fd = openList(pid)
  let noneAt = Number.NEGATIVE_INFINITY

  function fromTable(): readonly number[] {
    return processes
      .list()
      .filter((row) => row.ppid === pid)
      .map((row) => row.pid)
  }

  function read(): readonly number[] {
    if (fd === undefined) return fromTable()
    try {
      const size = readSync(fd, buffer, 0, buffer.length, 0)
      if (size === 0) return []
      return size < buffer.length ? pidsIn(buffer.toString("latin1", 0, size)) : fromTable()
    } catch {
      return []
    }
  }

  function look(): readonly number[] {
    const found = read()
    noneAt = found.length === 0 ? performance.now() : Number.NEGATIVE_INFINITY
    return found
  }

  return {
    look,
    lookAtRest: () => (performance.now() - noneAt < BELIEVED_MS ? [] : look()),
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
    },
  }
}

function pidsIn(text: string): readonly number[] {
  return text
    .trim()
    .split(" ")
    .filter((word) => word !== "")
    .map(Number)
}

function openList(pid: number): number | undefined {
  try {
    return openSync(`/proc/${pid}/task/${pid}/children`, "r")
  } catch {
    return undefined
  }
}
