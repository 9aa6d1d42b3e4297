import { nothingSince } from "./nothing-since.ts"
import type { ProcessRow, ProcessTable } from "./process-table.ts"

/** Environment variable by which a one-shot's processes are recognised wherever they moved (spec exec-and-jobs.md §8.2). */
export const JOB_MARKER = "HOLDFAST_JOB"

const QUICK_LOOK_MS = 2000
/** So often nothing is looked for again while new processes appear. */
const MAX_LOOKS = 5

/** The processes that one command started, as far as they can be told: by parent, by session, by marker. */
export interface ProcessTree {
  /** Members alive now, zombies left out. */
  members(): readonly ProcessRow[]
  /** Whether the last look met one of which it could not be told yet: look again in a moment. */
  isUnsure(): boolean
  /**
   * Asked once its first process has ended: whether it is certain, at little cost, that no member is left. `false` says nothing.
   */
  isSurelyGone(): boolean
  /** Signals this very process if it still lives: the start time is compared last, so a recycled pid is never hit. */
  signal(member: ProcessRow, signal: "SIGTERM" | "SIGCONT" | "SIGKILL"): void
}

/** How a tree begins: its first process, or only the marker where that process is long gone. */
export type TreeRoot = (
  | { readonly jobId: string }
  /** `NAME=value`, of what is no Job. */
  | { readonly marker: string }
) & {
  readonly main?: Pick<ProcessRow, "pid" | "startTime">
  /** Nothing older belongs to it; default: the start of `main`. */
  readonly bornAt?: number
  /** Children of this process that are the first ones of other trees and have not been waited for: none of them belongs to it. */
  readonly others?: ReadonlySet<number>
}

/** Follows the tree of one command from its first process on. */
export function createProcessTree(root: TreeRoot, processes: ProcessTable): ProcessTree {
  const marker = "marker" in root ? root.marker : `${JOB_MARKER}=${root.jobId}`
  const bornAt = performance.now()
  const known = new Map<number, number>()
  const strangers = new Map<number, number>()
  if (root.main !== undefined) known.set(root.main.pid, root.main.startTime)
  /** The kernel reserves a session id only while the session has a process: once empty, the number may name a stranger's. */
  let sessionOpen = root.main !== undefined
  let unsure = false

  /** Its younger processes cannot have got numbers below that of its first one again. */
  const isYoung = (): boolean => root.bornAt === undefined && performance.now() - bornAt < QUICK_LOOK_MS

  function candidates(): readonly ProcessRow[] {
    const first = root.main?.pid
    const newest = first === undefined ? undefined : processes.newestPid()
    if (first !== undefined && newest !== undefined && newest >= first && isYoung())
      return processes.list((pid) => pid >= first)
    return processes.list()
  }

  function belongs(row: ProcessRow): boolean {
    if (known.get(row.pid) === row.startTime) return true
    if (row.startTime < (root.bornAt ?? root.main?.startTime ?? 0)) return false
    if (sessionOpen && row.session === root.main?.pid) return true
    if (strangers.get(row.pid) === row.startTime) return false
    const carries = processes.carriesMarker(row.pid, marker)
    if (carries === undefined) unsure ||= !row.zombie
    else if (!carries) strangers.set(row.pid, row.startTime)
    return carries === true
  }

  /** What belongs to it or cannot be told yet, and threads of such. */
  function mayBelong(pid: number): boolean {
    if (root.others?.has(pid) === true) return false
    const row = processes.read(pid)
    if (row === undefined || row.zombie) return false
    if (row.session === root.main?.pid) return true
    return root.others?.has(row.session) !== true && processes.carriesMarker(pid, marker) !== false
  }

  function adoptChildren(rows: readonly ProcessRow[], found: Map<number, ProcessRow>): void {
    let grown = true
    while (grown) {
      grown = false
      for (const row of rows) {
        if (found.has(row.pid) || !found.has(row.ppid)) continue
        found.set(row.pid, row)
        grown = true
      }
    }
  }

  /** Members, zombies included. */
  function look(): readonly ProcessRow[] {
    unsure = false
    const rows = candidates()
    // A number is given again only when its session is empty: a later holder's session is a stranger's.
    if (rows.some((row) => row.pid === root.main?.pid && row.startTime !== root.main.startTime)) sessionOpen = false
    const found = new Map<number, ProcessRow>()
    for (const row of rows) if (belongs(row)) found.set(row.pid, row)
    adoptChildren(rows, found)
    for (const row of found.values()) known.set(row.pid, row.startTime)
    for (const pid of [...known.keys()]) if (!found.has(pid)) known.delete(pid)
    return [...found.values()]
  }

  return {
    members() {
      let found = look()
      // One may fork and end between the listing of the numbers and the look at its own, so that neither it nor its child is
      // met. Its child is seen by a second look, or has passed a newer number on.
      for (let looks = 1; found.every((row) => row.zombie) && looks < MAX_LOOKS; looks += 1) {
        const newest = processes.newestPid()
        if (newest === undefined) break
        found = look()
        if (processes.newestPid() === newest) break
      }
      if (sessionOpen) sessionOpen = found.some((row) => row.session === root.main?.pid)
      return found.filter((row) => !row.zombie)
    },
    isUnsure: () => unsure,
    isSurelyGone() {
      // Whoever was seen to belong to it stays a member, whatever became of its session and marker.
      const isUnseen = known.size === (root.main === undefined ? 0 : 1)
      return root.main !== undefined && isUnseen && isYoung() && nothingSince(root.main.pid, processes, mayBelong)
    },
    signal(member, signal) {
      if (processes.read(member.pid)?.startTime !== member.startTime) return
      try {
        process.kill(member.pid, signal)
      } catch {
        // Gone since the check, or another user's: the next look tells which, and the report names what still lives.
      }
    },
  }
}
