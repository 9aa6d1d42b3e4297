import { mayAccessProject } from "../access/principal.ts"
import type { ListedJob } from "../jobs/store.ts"
import type { JobId, ShellUid } from "../kernel/ids.ts"
import { encodePosition, type JobPosition, markOf, type WatchPosition } from "./cursor.ts"
import type { WatchEvent, WatchMessage } from "./events.ts"
import { jobsSince, liveJobs, namedJob } from "./found-jobs.ts"
import { tailStart } from "./output-reader.ts"
import type { Watcher, WatchPorts } from "./ports.ts"
import { RecentlyOver } from "./recently-over.ts"
import { listenToRunners, Wakes } from "./wakes.ts"
import { WatchedJob } from "./watched-job.ts"
import { WatchedShells } from "./watched-shells.ts"

/** A row can be committed this much later than the time it bears, ms. */
const LATE_MS = 5_000
/** Rows that another server changed are found this soon, ms. */
const LOOK_EVERY_MS = 1_000
/** How much of a stream that is older than the watching is shown, bytes. */
const TAIL_BYTES = 4_096

/** How to watch. */
export interface WatchOptions {
  /** Goes on behind it; absent: begins now, with what lives. */
  readonly after?: WatchPosition
  readonly signal: AbortSignal
  /** Told once, when everything that lives at the beginning has been told of. */
  readonly begun?: () => void
}

/**
 * Tells the caller's shells and commands as they live, until the signal (spec shells.md §13). It reads rows and spools and
 * touches nothing: whoever takes the messages slowly falls behind, and is never skipped.
 */
export async function* watchRuntime(
  ports: WatchPorts,
  watcher: Watcher,
  { after, signal, begun = () => undefined }: WatchOptions,
): AsyncGenerator<WatchMessage, void, undefined> {
  const done = new AbortController()
  const watch = new RuntimeWatch(ports, watcher, AbortSignal.any([signal, done.signal]))
  try {
    if (after === undefined) await watch.begin()
    else await watch.resume(after)
    yield* watch.messages(begun)
  } finally {
    done.abort()
  }
}

class RuntimeWatch {
  readonly #ports: WatchPorts
  readonly #watcher: Watcher
  readonly #signal: AbortSignal
  readonly #wakes = new Wakes()
  readonly #jobs = new Map<JobId, WatchedJob>()
  readonly #over = new RecentlyOver()
  #shells: WatchedShells
  /** Found and not told of, oldest first. */
  #pending: ListedJob[] = []
  #since = 0
  #mayHaveChanged = true

  constructor(ports: WatchPorts, watcher: Watcher, signal: AbortSignal) {
    this.#ports = ports
    this.#watcher = watcher
    this.#signal = signal
    this.#shells = new WatchedShells([], ports.clock.now())
    signal.addEventListener("abort", this.#wakes.wake)
  }

  /** Begins now: what lives is told, with the end of what it wrote before. */
  async begin(): Promise<void> {
    const { clock, store } = this.#ports
    this.#since = Math.max(0, clock.now() - LATE_MS)
    const { live, recent } = await store.read(async (tx) => ({
      live: await liveJobs(tx, this.#watcher()),
      recent: await jobsSince(tx, this.#watcher(), this.#since),
    }))
    const living = new Set(live.map(({ job }) => job.jobId))
    for (const { job } of recent) if (!living.has(job.jobId)) this.#over.add(markOf(job.jobId), job.createdAt)
    for (const listed of live) {
      const { jobId } = listed.job
      const runner = this.#runnerOf(listed)
      if (runner === undefined) continue
      const [stdout, stderr] = await Promise.all([
        tailStart(runner, { jobId, stream: "stdout", bytes: TAIL_BYTES }),
        tailStart(runner, { jobId, stream: "stderr", bytes: TAIL_BYTES }),
      ])
      this.#follow(listed, { stdout, stderr, told: "known" })
    }
  }

  /** Goes on where a cursor was given out, perhaps by another server. */
  async resume({ since, over, jobs, shells }: WatchPosition): Promise<void> {
    this.#since = since
    this.#shells = new WatchedShells(shells, since)
    for (const mark of over) this.#over.add(mark, this.#ports.clock.now())
    for (const position of jobs) {
      const listed = await this.#ports.store.read((tx) => namedJob(tx, this.#watcher(), position.jobId))
      if (listed !== undefined) this.#follow(listed, position)
    }
  }

  async *messages(begun: () => void): AsyncGenerator<WatchMessage, void, undefined> {
    this.#listen()
    let rounds = 0
    while (!this.#signal.aborted) {
      await this.#wakes.next()
      let told = true
      while (told && !this.#signal.aborted) {
        told = false
        for await (const event of this.#round()) {
          told = true
          yield { event, cursor: encodePosition(this.#position()) }
        }
        rounds += 1
        if (rounds === 1) begun()
      }
    }
  }

  #listen(): void {
    const { runners, clock } = this.#ports
    const sleep = (ms: number): Promise<void> => this.#sleep(ms)
    const happened = (shells: readonly ShellUid[] = []): void => {
      this.#shells.note(shells)
      this.#mayHaveChanged = true
      this.#wakes.wake()
    }
    listenToRunners(runners, { signal: this.#signal, sleep, happened })
    const tick = async (): Promise<void> => {
      while (!this.#signal.aborted) {
        await clock.sleep(LOOK_EVERY_MS, this.#signal)
        happened()
      }
    }
    tick().catch(() => undefined)
  }

  #sleep(ms: number): Promise<void> {
    return this.#ports.clock.sleep(ms, this.#signal).catch(() => undefined)
  }

  /** One piece of everything that has something to tell. */
  async *#round(): AsyncGenerator<WatchEvent, void, undefined> {
    if (this.#mayHaveChanged) await this.#look()
    yield* this.#shells.opened()
    yield* this.#nextPending()
    for (const job of this.#jobs.values()) {
      yield* job.news()
      if (job.isOver) this.#end(job)
    }
    const busy = new Set<ShellUid | undefined>([
      ...this.#pending.map(({ job }) => job.shellUid),
      ...[...this.#jobs.values()].filter((job) => job.isOpen).map(({ job }) => job.shellUid),
    ])
    yield* this.#shells.closed((uid) => !busy.has(uid), this.#over)
  }

  /** A command that was found is told as a whole, as far as it goes, before the next one. */
  async *#nextPending(): AsyncGenerator<WatchEvent, void, undefined> {
    const listed = this.#pending.shift()
    if (listed === undefined) return
    const job = this.#follow(listed, { stdout: 0, stderr: 0, told: "known" })
    if (job === undefined) return
    const { shellUid } = listed.job
    if (shellUid !== undefined)
      yield* this.#shells.openedFor(await this.#ports.store.read((tx) => tx.shells.byUid(shellUid)))
    let told = true
    while (told) {
      told = false
      for await (const event of job.news()) {
        told = true
        yield event
      }
    }
    if (job.isOver) this.#end(job)
  }

  /** Finds new Jobs and shells, and leaves out what the caller may no longer see. */
  async #look(): Promise<void> {
    this.#mayHaveChanged = false
    const caller = this.#watcher()
    const now = this.#ports.clock.now()
    const listed = await this.#ports.store.read(async (tx) => {
      await this.#shells.look(tx, caller, this.#over)
      return await jobsSince(tx, caller, this.#since)
    })
    const known = new Set([...this.#jobs.keys(), ...this.#pending.map(({ job }) => job.jobId)])
    for (const one of listed) {
      const { jobId, createdAt } = one.job
      const mark = markOf(jobId)
      if (this.#over.has(mark)) this.#over.add(mark, createdAt)
      else if (!known.has(jobId)) this.#pending.push(one)
    }
    this.#pending.sort((a, b) => a.job.createdAt - b.job.createdAt)
    this.#since = Math.max(this.#since, now - LATE_MS)
    this.#over.forgetBefore(this.#position().since)
    for (const [jobId, job] of this.#jobs) {
      const { project } = job.listed
      if (project !== undefined && !mayAccessProject(caller, project.slug)) this.#jobs.delete(jobId)
    }
  }

  #runnerOf({ project }: ListedJob) {
    return this.#ports.runners.get(project?.clientId ?? "local")?.jobs
  }

  #follow(listed: ListedJob, from: Omit<JobPosition, "jobId">): WatchedJob | undefined {
    const runner = this.#runnerOf(listed)
    if (runner === undefined) return undefined
    const { jobId } = listed.job
    const job = new WatchedJob({
      listed,
      runner,
      from,
      wake: this.#wakes.wake,
      reread: () => this.#ports.store.read((tx) => tx.jobs.byId(jobId)),
      sleep: (ms) => this.#sleep(ms),
      signal: this.#signal,
    })
    this.#jobs.set(jobId, job)
    return job
  }

  #end({ job }: WatchedJob): void {
    this.#jobs.delete(job.jobId)
    if (job.createdAt >= this.#position().since) this.#over.add(markOf(job.jobId), job.createdAt)
  }

  #position(): WatchPosition {
    return {
      since: Math.min(this.#since, this.#pending[0]?.job.createdAt ?? Number.POSITIVE_INFINITY),
      over: this.#over.marks,
      jobs: [...this.#jobs.values()].map((job) => job.position),
      shells: this.#shells.known,
    }
  }
}
