import { spawn } from "node:child_process"
import { ToolError } from "../../../../core/kernel/error.ts"

/** One child process whose standard output is read as it comes. */
export interface ChildRun {
  readonly binary: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** False when enough was read: the process is then killed. */
  onOutput(chunk: Uint8Array): boolean
}

/** How the process ended: by itself, because its reader had enough, or because time was up. */
export interface ChildEnd {
  readonly exitCode: number | null
  readonly stopped: "no" | "reader" | "timeout"
  /** Last 2 KiB of standard error. */
  readonly stderrTail: string
}

const STDERR_BYTES = 2048

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

/** Whether an abort means that the caller still wants what there is (kernel.md §10). */
export const isShutdown = (signal: AbortSignal | undefined): boolean => signal?.reason === "shutdown"

/**
 * Runs a program without shell, standard input closed, in a process group (and so a session without terminal) of its
 * own. The group is killed when time is up, on abort and when the reader has enough; no child stays behind.
 * @throws ToolError `cancelled` on abort; the spawn error itself (`ENOENT`) otherwise.
 */
export function runChild(run: ChildRun): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    if (run.signal?.aborted === true && !isShutdown(run.signal)) {
      reject(cancelled())
      return
    }
    if (run.timeoutMs <= 0 || run.signal?.aborted === true) {
      resolve({ exitCode: null, stopped: "timeout", stderrTail: "" })
      return
    }
    const child = spawn(run.binary, [...run.args], {
      cwd: run.cwd,
      env: { ...run.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    })
    let stopped: ChildEnd["stopped"] = "no"
    let aborted = false
    let stderr = Buffer.alloc(0)
    const stop = (why: ChildEnd["stopped"]): void => {
      if (stopped !== "no") return
      stopped = why
      killGroup(child.pid)
    }
    const onAbort = (): void => {
      aborted = !isShutdown(run.signal)
      stop("timeout")
    }
    const timer = setTimeout(() => stop("timeout"), run.timeoutMs)
    const settle = (): void => {
      clearTimeout(timer)
      run.signal?.removeEventListener("abort", onAbort)
    }
    run.signal?.addEventListener("abort", onAbort, { once: true })
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES)
    })
    child.stdout.on("data", (chunk: Buffer) => {
      if (stopped !== "no") return
      try {
        if (!run.onOutput(chunk)) stop("reader")
      } catch (error) {
        stop("reader")
        settle()
        reject(error)
      }
    })
    child.once("error", (error) => {
      settle()
      reject(error)
    })
    child.once("close", (exitCode) => {
      settle()
      if (aborted) reject(cancelled())
      else resolve({ exitCode, stopped, stderrTail: stderr.toString("utf8") })
    })
  })
}

/** The answer of an observing call that its caller no longer wants. */
export const cancelled = (): ToolError =>
  new ToolError("cancelled", "The call was cancelled before it had an answer; nothing was changed.")
