import type { ToolError } from "../kernel/error.ts"
import type { InstanceId, JobId } from "../kernel/ids.ts"
import type { Literal } from "../kernel/redaction/redactor.ts"
import type { ShellRestart } from "../shells/record.ts"
import type { Reach } from "../shells/runner.ts"
import type { StartCommand } from "./command.ts"
import type { EnvironmentEntry } from "./environment.ts"
import type { CancelledBy, Outcome, StreamName, StreamTotals, Survivor } from "./record.ts"

/** One command to start (spec shells.md §2.2, exec-and-jobs.md §2). */
export interface StartSpec {
  readonly jobId: JobId
  /** Absolute real path of the Project root; `cwd` is opened beneath it without leaving it. */
  readonly root: string
  /** Project-relative; on another machine a path of it, relative to the login directory, which is also `""`. */
  readonly cwd: string
  /** Absent: this machine. Elsewhere only shell text runs, without any state (spec exec-and-jobs.md §2). */
  readonly reach?: Extract<Reach, { readonly kind: "ssh" }>
  readonly command: StartCommand
  readonly stdin?: string
  /** Added to the base environment; of two with one name the last counts. */
  readonly env: readonly EnvironmentEntry[]
  /** Life of the process from its start, ms. */
  readonly timeoutMs: number
  readonly background: "end" | "keep"
  /** Literals to mask before a byte is stored (spec shells.md §4.3). */
  readonly secrets: readonly Literal[]
}

/** A live child that a command left behind (spec exec-and-jobs.md §8.3). */
export interface BackgroundProcess {
  readonly pid: number
  readonly command: string
  /** It, or a process of its tree, can still write into the command's output; told of children of live shells. */
  readonly holdsOutput?: boolean
}

/** What only a command in a live shell has (spec shells.md §4.1). */
export interface ShellRunFacts {
  /** Of the shell after the command. */
  readonly generation: number
  /** Physical path of the shell, also after a timeout. */
  readonly cwd: string
  readonly cwdDeleted: boolean
  readonly restarted?: ShellRestart
  /** Bytes that older commands' children wrote since the last result, ≤ 8. */
  readonly lateOutput: readonly { readonly jobId: JobId; readonly bytes: number }[]
  /** A stop removed the user's own INT trap. */
  readonly intTrapReset: boolean
  /** The shell ended with the command, which `on_exit: close` wants. */
  readonly shellExited?: true
}

/** Where one execution stands, as its host knows it. */
export interface RunFacts {
  readonly jobId: JobId
  /** Rises with every change; what `watch` compares. */
  readonly revision: number
  readonly state: "queued" | "running" | "stopping" | "ended"
  readonly queuePosition?: number
  /** How long it waited in the line; absent when it did not. */
  readonly queuedMs?: number
  readonly startedAt?: number
  readonly finishedAt?: number
  /** Since when the machine it runs on cannot be asked; absent while it can. */
  readonly recoveringSince?: number
  /** Absent when it ended without ever having run. */
  readonly outcome?: Outcome
  /** Why it could not be started. */
  readonly refused?: ToolError
  readonly totals: Readonly<Record<StreamName, StreamTotals>>
  readonly outputGap: boolean
  /** Something still holds its output open: bytes can come, also after the end (kept background processes). */
  readonly outputOpen: boolean
  readonly tracking: "cgroup" | "session"
  readonly endedBackground: readonly BackgroundProcess[]
  readonly background: readonly BackgroundProcess[]
  readonly survivors: readonly Survivor[]
  /** ≤ 200 characters of the command, redacted; kept by the host alone. */
  readonly summary?: string
  readonly shell?: ShellRunFacts
}

/** One page of a stream's retained bytes, after masking (spec exec-and-jobs.md §7.1). */
export interface SpoolPage {
  readonly bytes: Uint8Array
  readonly from: number
  /** Logical length of the stream so far. */
  readonly total: number
  /** Ranges that are kept; what lies between them was dropped. */
  readonly retained: readonly { readonly from: number; readonly to: number }[]
  /** Newlines in the whole logical stream; absent where the host that counted them is gone. */
  readonly newlines?: number
}

/** Facts as they are told to whoever also says where it reads on. */
export interface WatchedFacts extends RunFacts {
  /**
   * What each stream has from there to its end, at or after these facts; absent where that is more than a few KiB or is not
   * all kept, and where a read costs no more than this.
   */
  readonly ahead?: Readonly<Record<StreamName, SpoolPage>>
}

/** What is left of a run whose host is gone (spec exec-and-jobs.md §6.1, §6.2). */
export type PastRun =
  | { readonly state: "alive" }
  | { readonly state: "never_accepted" }
  | {
      readonly state: "ended"
      readonly startedAt?: number
      readonly finishedAt: number
      readonly outcome?: Outcome
      readonly totals: Readonly<Record<StreamName, StreamTotals>>
      readonly outputGap: boolean
    }
  | {
      readonly state: "supervisor_lost" | "machine_restarted"
      readonly startedAt?: number
      /** Counted over what was stored. */
      readonly totals: Readonly<Record<StreamName, StreamTotals>>
    }

/** What became of the processes of a Job whose host is gone. */
export interface OrphanEnd {
  /** Something of it still lived and got our signals. */
  readonly signalled: boolean
  readonly survivors: readonly Survivor[]
}

/** The process half of a Runner (spec shells.md §2.2): starts, watches, reads and stops executions. */
export interface JobRunner {
  /** Identifies the host whose journal and spools hold a Job. */
  readonly hostId: string
  /**
   * Whether a start would be refused, asked before the row exists.
   * Throws `workspace_missing`, `cwd_invalid`, `capability_unavailable`, `executable_not_found`, `not_executable`,
   * `interpreter_unavailable`, `job_limit_reached`.
   */
  admit(spec: Pick<StartSpec, "root" | "cwd" | "reach" | "command" | "env">): Promise<{
    /** Project-relative physical path of the working directory; of another machine as it was given. */
    readonly cwd: string
    /** The shell that runs shell text. */
    readonly shell?: "sh" | "bash"
  }>
  /** Idempotent by `jobId`; journalled before the process exists. Resolves when it runs, waits in the queue, or throws the refusing kind. */
  start(spec: StartSpec): Promise<RunFacts>
  /**
   * As `start`, under a host of its own whose id is `hostId`, so that the death of this one costs the Job nothing (spec
   * exec-and-jobs.md §6.3). Resolves when its process runs. Throws `capability_unavailable` where there can be none.
   */
  startDetached(spec: StartSpec, hostId: InstanceId): Promise<RunFacts>
  /**
   * Resolves with fresh facts on a change after `from`, also of late output, at the end, or when `signal` aborts; `answer`: at the
   * end, or once the machine it runs on cannot be asked. `reading`: the caller reads on from these offsets, so that what lies
   * there may come with the answer. `undefined` for an unknown Job.
   */
  watch(
    jobId: JobId,
    options: {
      readonly from: number
      readonly until: "change" | "end" | "answer"
      readonly reading?: Readonly<Record<StreamName, number>>
      readonly signal?: AbortSignal
    },
  ): Promise<WatchedFacts | undefined>
  facts(jobId: JobId): Promise<RunFacts | undefined>
  /** As in the facts, also of one of the newest Jobs that the host has nothing else of any more; it is kept in no file. */
  summary(jobId: JobId): Promise<string | undefined>
  /**
   * Also serves the spools of dead hosts of this data directory. More than a few bytes are given in a later turn of the
   * event loop, so that a reader of many pages holds nobody up.
   */
  read(
    jobId: JobId,
    stream: StreamName,
    range: { readonly from: number; readonly max: number },
  ): Promise<SpoolPage | undefined>
  /**
   * Ends the whole tree; the first cause wins. `undefined` for a Job of a host that is gone: what still carries its
   * marker is ended then too.
   */
  stop(jobId: JobId, options: { readonly cause: CancelledBy; readonly graceMs: number }): Promise<RunFacts | undefined>
  /** Ends what still carries the marker of a Job whose host is gone. */
  endOrphan(jobId: JobId, options: { readonly graceMs: number }): Promise<OrphanEnd>
  /** Executions this host still owes an acknowledgement for, running or ended. */
  inventory(): Promise<readonly RunFacts[]>
  /** Resolves with the Jobs that started, ended, or got their last late output after `since`, or with none when `signal` aborts. */
  events(options: {
    readonly since: number
    readonly signal?: AbortSignal
  }): Promise<{ readonly sequence: number; readonly jobIds: readonly JobId[] }>
  ack(jobIds: readonly JobId[]): Promise<void>
  /** What the journal of a host of this data directory says about a Job. */
  recall(hostId: string, jobId: JobId): Promise<PastRun>
  /** Evicts finished spools beyond age and total size; returns the Jobs whose output is gone (spec exec-and-jobs.md §7.1). */
  sweep(known?: {
    /** Hosts with Jobs whose ends are still owed; another one that is gone and keeps no output is forgotten. */
    readonly owingHosts: readonly string[]
  }): Promise<readonly JobId[]>
  capabilities(): Promise<{ readonly shells: readonly ("sh" | "bash")[]; readonly tracking: "cgroup" | "session" }>
}
