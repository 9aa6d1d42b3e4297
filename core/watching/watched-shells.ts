import type { Caller } from "../access/principal.ts"
import { mayAccessProject } from "../access/principal.ts"
import { jobOwner } from "../jobs/access.ts"
import type { ShellUid } from "../kernel/ids.ts"
import type { Shell } from "../shells/record.ts"
import { isEnded } from "../shells/states.ts"
import type { Tx } from "../store.ts"
import { shellMark } from "./cursor.ts"
import type { WatchEvent } from "./events.ts"
import type { RecentlyOver } from "./recently-over.ts"

/** The shells that were told of; a closing waits until nothing of the shell is left to tell. */
export class WatchedShells {
  readonly #known: Set<ShellUid>
  /** Closings before it are nobody's news, ms. */
  readonly #since: number
  /** Said to have changed; one of them may have come and gone between two looks. */
  readonly #noted = new Set<ShellUid>()
  #live: readonly Shell[] = []
  #ended: readonly Shell[] = []

  constructor(known: readonly ShellUid[], since: number) {
    this.#known = new Set(known)
    this.#since = since
  }

  /** These changed. */
  note(uids: readonly ShellUid[]): void {
    for (const uid of uids) this.#noted.add(uid)
  }

  get known(): readonly ShellUid[] {
    return [...this.#known]
  }

  /** Looks at the rows again. */
  async look(tx: Tx, caller: Caller, over: RecentlyOver): Promise<void> {
    const own: Shell[] = []
    for (const shell of await tx.shells.live({})) if (await isOwn(tx, caller, shell)) own.push(shell)
    this.#live = own.filter(({ state }) => state !== "opening")
    const live = new Set(own.map(({ shellUid }) => shellUid))
    const ended = await this.#missed(tx, caller, over)
    for (const uid of this.#known) {
      if (live.has(uid)) continue
      const shell = await tx.shells.byUid(uid)
      if (shell === undefined) this.#known.delete(uid)
      else if (isEnded(shell.state)) ended.push(shell)
    }
    this.#ended = ended
  }

  async #missed(tx: Tx, caller: Caller, over: RecentlyOver): Promise<Shell[]> {
    const missed: Shell[] = []
    const noted = [...this.#noted]
    this.#noted.clear()
    for (const uid of noted) {
      if (this.#known.has(uid) || over.has(shellMark(uid))) continue
      const shell = await tx.shells.byUid(uid)
      if (shell === undefined || !isEnded(shell.state) || (shell.closedAt ?? 0) < this.#since) continue
      if (shell.reason !== "start_failed" && (await isOwn(tx, caller, shell))) missed.push(shell)
    }
    return missed
  }

  /** Openings that were not told. */
  *opened(): Generator<WatchEvent> {
    for (const shell of [...this.#live, ...this.#ended]) {
      if (this.#known.has(shell.shellUid)) continue
      this.#known.add(shell.shellUid)
      yield opened(shell)
    }
  }

  /** The opening of the shell of a command that is about to be told. */
  *openedFor(shell: Shell | undefined): Generator<WatchEvent> {
    if (shell === undefined || this.#known.has(shell.shellUid)) return
    this.#known.add(shell.shellUid)
    yield opened(shell)
  }

  /** Closings that were not told, of shells for which `isDone`. */
  *closed(isDone: (uid: ShellUid) => boolean, over: RecentlyOver): Generator<WatchEvent> {
    for (const shell of this.#ended) {
      if (!this.#known.has(shell.shellUid) || !isDone(shell.shellUid)) continue
      this.#known.delete(shell.shellUid)
      over.add(shellMark(shell.shellUid), shell.closedAt ?? 0)
      yield closed(shell)
    }
    this.#ended = this.#ended.filter(({ shellUid }) => this.#known.has(shellUid))
  }
}

/** A free shell is its principal's; a bound one its Session's authority's, while its Project may be accessed. */
async function isOwn(tx: Tx, caller: Caller, shell: Shell): Promise<boolean> {
  if (shell.family === "free") return shell.ownerPrincipal === caller.principal.id
  if (shell.ownerFingerprint !== jobOwner(caller) || shell.projectPk === undefined) return false
  const project = await tx.projects.byPk(shell.projectPk)
  return project !== undefined && mayAccessProject(caller, project.slug)
}

const opened = (shell: Shell): WatchEvent => ({
  event: "shell_opened",
  shell_id: shell.shellId,
  family: shell.family,
  transport: shell.target.kind,
  shell: shell.dialect,
  cwd: shell.initialCwd,
  at: shell.createdAt,
})

const closed = (shell: Shell): WatchEvent => ({
  event: "shell_closed",
  shell_id: shell.shellId,
  state: shell.state,
  ...(shell.reason === undefined ? {} : { reason: shell.reason }),
  ...(shell.closedAt === undefined ? {} : { at: shell.closedAt }),
})
