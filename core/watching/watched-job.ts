import { exitOf } from "../jobs/outcome.ts"
import type { Job, StreamName } from "../jobs/record.ts"
import type { JobRunner, RunFacts, WatchedFacts } from "../jobs/runner.ts"
import { isTerminal } from "../jobs/states.ts"
import type { ListedJob } from "../jobs/store.ts"
import type { JobPosition, Told } from "./cursor.ts"
import type { WatchEvent } from "./events.ts"
import { nextOutput, type OutputPlace } from "./output-reader.ts"

const STREAMS = ["stdout", "stderr"] as const
/** How long a Job that its host does not know is left alone before it is looked at again. */
const LOOK_AGAIN_MS = 500

/** How one Job is followed. */
export interface WatchedJobParts {
  readonly listed: ListedJob
  readonly runner: JobRunner
  readonly from: Pick<JobPosition, "stdout" | "stderr" | "told">
  /** Something of it changed. */
  readonly wake: () => void
  /** Reads the row again. */
  readonly reread: () => Promise<Job | undefined>
  readonly sleep: (ms: number) => Promise<void>
  readonly signal: AbortSignal
}

/** One Job that is being followed: what was told of it, and whether there is more. */
export class WatchedJob {
  readonly #parts: WatchedJobParts
  readonly #offsets: Record<StreamName, number>
  #told: Told
  #job: Job
  #facts: RunFacts | undefined
  /** Of one that its host has nothing else of. */
  #summary: string | undefined
  #looked = false
  /** What each stream has from its offset to its end as the facts tell it, where that is known. */
  #ahead: WatchedFacts["ahead"]
  /** All that there was at the facts is told. */
  #isDrained = false
  #isOver = false
  /** Something may be there that was not told. */
  #isDue = true

  constructor(parts: WatchedJobParts) {
    this.#parts = parts
    this.#job = parts.listed.job
    this.#offsets = { stdout: parts.from.stdout, stderr: parts.from.stderr }
    this.#told = parts.from.told
  }

  /** As it was found. */
  get listed(): ListedJob {
    return this.#parts.listed
  }

  get job(): Job {
    return this.#job
  }

  /** Its end was told and nothing more can come. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Its shell waits with its own end until this one's was told. */
  get isOpen(): boolean {
    return this.#told !== "ended"
  }

  get position(): JobPosition {
    return { jobId: this.#job.jobId, ...this.#offsets, told: this.#told }
  }

  /** What is new: its start, a piece of each stream, its end; nothing where all was told. */
  async *news(): AsyncGenerator<WatchEvent, void, undefined> {
    if (!this.#isDue || this.#isOver) return
    if (!this.#looked) await this.#look()
    const started = this.#started()
    if (started !== undefined) yield started
    if (this.#told === "known") {
      this.#rest()
      return
    }
    const isFinal = this.#hasEnded && this.#facts?.outputOpen !== true
    const ahead = isFinal ? undefined : this.#ahead
    let told = false
    for (const stream of this.#isDrained ? [] : STREAMS) {
      const event = await this.#output(stream, { final: isFinal, page: ahead?.[stream] })
      if (event === undefined) continue
      told = true
      yield event
    }
    this.#ahead = undefined
    // What comes later than that is a change.
    if (ahead !== undefined) this.#isDrained = true
    if (told) return
    if (this.#hasEnded && this.#told === "started") {
      this.#told = "ended"
      yield this.#ended()
    }
    if (isFinal) this.#isOver = true
    else this.#rest()
  }

  get #hasEnded(): boolean {
    return this.#facts === undefined ? isTerminal(this.#job.status) : this.#facts.state === "ended"
  }

  get #totals(): RunFacts["totals"] | undefined {
    return this.#facts?.totals ?? this.#job.output
  }

  async #look(): Promise<void> {
    const { runner, reread } = this.#parts
    this.#facts = await runner.facts(this.#job.jobId)
    if (this.#facts === undefined) {
      this.#job = (await reread()) ?? this.#job
      if (this.#told === "known") this.#summary = await runner.summary(this.#job.jobId)
    }
    this.#looked = true
  }

  /** All was told: goes on at the next change. */
  #rest(): void {
    if (this.#told === "known" && this.#hasEnded) {
      // It never ran, so there is nothing to tell.
      this.#isOver = true
      return
    }
    this.#isDue = false
    const { runner, signal, sleep, wake } = this.#parts
    const facts = this.#facts
    const change =
      facts === undefined
        ? sleep(LOOK_AGAIN_MS).then(() => undefined)
        : runner.watch(this.#job.jobId, {
            from: facts.revision,
            until: "change",
            reading: { ...this.#offsets },
            signal,
          })
    const again = (known: WatchedFacts | undefined): void => {
      this.#facts = known
      this.#ahead = known?.ahead
      this.#isDrained = false
      this.#looked = known !== undefined
      this.#isDue = true
      wake()
    }
    change.then(again, () => sleep(LOOK_AGAIN_MS).then(() => again(undefined)))
  }

  #started(): WatchEvent | undefined {
    const at = this.#facts?.startedAt ?? this.#job.startedAt
    if (this.#told !== "known" || at === undefined) return undefined
    this.#told = "started"
    const { project } = this.#parts.listed
    const summary = this.#facts?.summary ?? this.#summary
    return {
      event: "command_started",
      ...this.#name(),
      kind: this.#job.kind,
      tool: this.#job.tool,
      ...(project === undefined ? {} : { project: project.slug }),
      ...(summary === undefined ? {} : { command: summary }),
      at,
    }
  }

  async #output(stream: StreamName, of: Pick<OutputPlace, "final" | "page">): Promise<WatchEvent | undefined> {
    const from = this.#offsets[stream]
    const { jobId } = this.#job
    const written = this.#totals?.[stream].bytes_total ?? 0
    const next = await nextOutput(this.#parts.runner, { jobId, stream, from, written, ...of })
    if (next.kind === "none") return undefined
    const { offset, bytes } = next
    this.#offsets[stream] = offset + bytes
    const place = { ...this.#name(), stream, offset, bytes }
    return next.kind === "gap" ? { event: "gap", ...place } : { event: "output", ...place, text: next.text }
  }

  #ended(): WatchEvent {
    const outcome = this.#facts?.outcome ?? this.#job.outcome
    const totals = this.#totals
    const at = this.#facts?.finishedAt ?? this.#job.finishedAt
    return {
      event: "command_ended",
      ...this.#name(),
      outcome: outcome?.kind ?? "unknown",
      ...exitOf(outcome),
      ...(totals === undefined
        ? {}
        : { bytes_total: { stdout: totals.stdout.bytes_total, stderr: totals.stderr.bytes_total } }),
      ...(at === undefined ? {} : { at }),
    }
  }

  #name() {
    const { shellId } = this.#parts.listed
    return { job_id: this.#job.jobId, ...(shellId === undefined ? {} : { shell_id: shellId }) }
  }
}
