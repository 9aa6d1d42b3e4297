import type { EnvironmentEntry } from "../jobs/environment.ts"
import type { Survivor } from "../jobs/record.ts"
import type { BackgroundProcess, RunFacts } from "../jobs/runner.ts"
import type { JobId, ShellUid } from "../kernel/ids.ts"
import type { Literal } from "../kernel/redaction/redactor.ts"
import type { CloseReason, Dialect, LostReason, ShellState } from "./record.ts"

/** How the far end of a remote shell is reached (spec shells.md §9); a secret in it never leaves the host's memory. */
export type Reach =
  | { readonly kind: "local" /** The directory must lie beneath it. */; readonly root?: string }
  | {
      readonly kind: "ssh"
      readonly host: string
      readonly user?: string
      readonly port?: number
      readonly auth?: { readonly password: string } | { readonly keyPath: string }
      /** `SHA256:…` the host key must have. */
      readonly fingerprint?: string
      readonly workspace?: Workspace
    }
  | { readonly kind: "docker"; readonly container: string; readonly workspace?: Workspace }

/** What the ssh configuration of a Runner makes of a target (spec shells.md §9.2). */
export interface ResolvedReach {
  readonly host: string
  readonly user: string
  readonly port: number
  /** What it is reached through; `""`: nothing. */
  readonly proxy: string
}

/** The folder of a remote shell that checkpoints capture (spec shells.md §12). */
export interface Workspace {
  readonly path: string
  /** Only these below it; empty: all of it. */
  readonly paths: readonly string[]
  readonly automatic: boolean
  readonly ignores: readonly string[]
}

/** One live shell to open (spec shells.md §2.2). */
export interface ShellSpec {
  readonly shellUid: ShellUid
  readonly reach: Reach
  /** Bash is replaced by sh where it is absent, unless `exact`. */
  readonly dialect: Dialect
  readonly exact?: boolean
  /** Absolute; absent: the home directory of whoever the shell runs as. */
  readonly cwd?: string
  readonly env: readonly EnvironmentEntry[]
  readonly onExit: "restore" | "close"
  /** The host closes an idle shell by itself; 0: never. */
  readonly idleTtlMs: number
  /** The same while it has live background children. */
  readonly backgroundTtlMs: number
  /** Run once before it answers, ≤ 30 s; its output is nobody's (spec shells.md §3). */
  readonly init?: string
  /** Literals to mask before a byte is stored (spec shells.md §4.3). */
  readonly secrets: readonly Literal[]
}

/** Where one shell stands, as its host knows it. */
export interface ShellFacts {
  readonly shellUid: ShellUid
  /** Rises with every change. */
  readonly revision: number
  readonly state: ShellState
  readonly reason?: CloseReason | LostReason | string
  readonly dialect: Dialect
  readonly generation: number
  /** Physical path; of a shell that ended, the last known one. */
  readonly cwd: string
  readonly cwdDeleted: boolean
  readonly running?: { readonly jobId: JobId; readonly startedAt: number }
  /** Claims that wait for their turn. */
  readonly waiting: number
  readonly background: readonly BackgroundProcess[]
  /** End of the last command, or the last call that named it; ms. */
  readonly lastUsedAt: number
  readonly closedAt?: number
  /** Processes that a close could not end. */
  readonly survivors: readonly Survivor[]
  /** Checkpoints are made before commands that may change the workspace. */
  readonly automaticCheckpoints?: boolean
}

/** The right to run one command; at most one a shell (spec shells.md §3). */
export interface ShellClaim {
  readonly claimId: string
  readonly shellUid: ShellUid
  readonly queuedMs: number
  /** The shell as it is now, nothing running in it. */
  readonly facts: ShellFacts
}

/** One command in a claimed shell. */
export interface ShellCommandSpec {
  readonly jobId: JobId
  readonly claimId: string
  readonly shellUid: ShellUid
  /** Run exactly as it is: not a byte is added or taken. No NUL. */
  readonly text: string
  /** Absent: `/dev/null`. */
  readonly stdin?: string
  readonly streams: "split" | "merged"
  /** Run under a terminal of its own; throws `capability_unavailable` where that cannot be. */
  readonly tty: boolean
  /** For this command only. */
  readonly env: readonly EnvironmentEntry[]
  /** First goes back to the initial working directory. */
  readonly resetCwd: boolean
  readonly timeoutMs: number
  readonly secrets: readonly Literal[]
}

/** What a close did. */
export interface ShellClosed {
  readonly facts: ShellFacts
  readonly ended: readonly BackgroundProcess[]
  /** Background processes that were left alive because the caller wanted it. */
  readonly kept: readonly BackgroundProcess[]
  readonly survivors: readonly Survivor[]
}

/** How a shell is over that no host holds any more, as a journal tells it. */
export interface ShellEnd {
  readonly state: "closed" | "lost" | "poisoned"
  readonly reason: string
  /** Wall clock, ms. */
  readonly at: number
}

/** A state of a remote workspace (spec shells.md §12). */
export interface Checkpoint {
  /** 40 hex. */
  readonly id: string
  readonly label: string
  readonly createdAt: number
  readonly automatic: boolean
}

/** What a restore did. */
export interface Restored {
  readonly restoredTo: string
  readonly filesChanged: number
  readonly removed: number
  readonly safetyCheckpointId: string
}

/**
 * The live-shell half of a Runner (spec shells.md §2.2). A command in a shell is a Job: once accepted, the `JobRunner` of the same host watches, reads and
 * stops it by its Job id, and its facts carry `shell`.
 */
export interface ShellRunner {
  /**
   * Idempotent by `shellUid`; resolves when the shell answered a whole frame. Throws `shell_start_failed`,
   * `cwd_invalid`, `capability_unavailable`, `ssh_failed`, `ssh_auth_required`, `host_key_changed`, `host_key_unknown`,
   * `key_unavailable`, `container_not_found`, `container_not_running`.
   */
  open(spec: ShellSpec): Promise<ShellFacts>
  /**
   * Waits for the shell, first come first served, at most 16 in line (`wait`); or refuses while a command runs (`fail`);
   * or leaves the running command its process and goes on in a new generation (`detach`). Throws `shell_busy`,
   * also when `signal` aborts, `shell_closed`, `shell_lost`, `shell_reset_required`, and once `shell_cwd_lost`.
   */
  claim(
    shellUid: ShellUid,
    options: { readonly whenBusy: "wait" | "fail" | "detach"; readonly signal?: AbortSignal },
  ): Promise<ShellClaim>
  /** Gives an unused claim back; of a used or unknown one nothing happens. */
  release(claimId: string): Promise<void>
  /** Idempotent by `jobId`; uses up the claim. Journalled before the first byte reaches the shell. Resolves when accepted. */
  exec(spec: ShellCommandSpec): Promise<RunFacts>
  /** Where a target is by the configuration as it is now. Throws `ssh_failed` phase `resolve`, `capability_unavailable`. */
  resolve(reach: Extract<Reach, { readonly kind: "ssh" }>): Promise<ResolvedReach>
  /** Ends the shell and, unless they are kept, its background processes; a running command ends `cancelled`. ≤ 3 s. `undefined` for one that is not held. */
  close(
    shellUid: ShellUid,
    options: { readonly reason: CloseReason; readonly background: "kill" | "keep" },
  ): Promise<ShellClosed | undefined>
  facts(shellUid: ShellUid): Promise<ShellFacts | undefined>
  /** A call named it: the idle time begins anew. */
  touch(shellUid: ShellUid): Promise<void>
  /** Every shell this host holds, ended ones until they are acknowledged. */
  inventory(): Promise<readonly ShellFacts[]>
  /** Resolves with the shells whose state or generation changed after `since`, or with none when `signal` aborts. */
  events(options: {
    readonly since: number
    readonly signal?: AbortSignal
  }): Promise<{ readonly sequence: number; readonly shellUids: readonly ShellUid[] }>
  /** The end is stored: the host may forget it. */
  ack(shellUids: readonly ShellUid[]): Promise<void>
  /** The end that a host which is gone has journalled and nobody has acknowledged; `undefined` where none tells one. */
  recall(shellUid: ShellUid): Promise<ShellEnd | undefined>
  /** Throws `checkpoint_unsupported`. */
  checkpoint(shellUid: ShellUid, label: string): Promise<Checkpoint>
  /** Newest first. Throws `checkpoint_unsupported`. */
  checkpoints(shellUid: ShellUid): Promise<readonly Checkpoint[]>
  /** The latest where none is named. Throws `checkpoint_unsupported`, `checkpoint_not_found`. */
  restore(shellUid: ShellUid, checkpointId: string | undefined): Promise<Restored>
  capabilities(): Promise<{
    readonly dialects: readonly Dialect[]
    readonly tty: boolean
    readonly ssh: boolean
    readonly containers: readonly ("docker" | "podman")[]
  }>
}
