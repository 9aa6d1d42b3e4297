import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, realpathSync } from "node:fs"
import { basename, isAbsolute } from "node:path"
import process from "node:process"
import { ToolError } from "../../../../core/kernel/error.ts"
import { executableNotFound, notExecutable } from "./resolve-command.ts"

/** One child; the descriptors stay the caller's to close. */
export interface ChildSpec {
  /** Absolute, or with a `/` and relative to `cwd`. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Absent: `/dev/null`. */
  readonly stdin?: number
  readonly stdout: number
  readonly stderr: number
  /** Descriptors of this process that a child would inherit: it gets `/dev/null` in their place. */
  readonly inherited: readonly number[]
}

/** A child that exists. */
export interface StartedChild {
  readonly process: ChildProcess
  readonly pid: number
}

/**
 * Starts a program on its literal arguments, in a session of its own and so without terminal. Throws `spawn_failed`,
 * `executable_not_found`, `not_executable`; then nothing was started.
 */
export async function startChild(spec: ChildSpec): Promise<StartedChild> {
  const nothing = spec.inherited.length === 0 ? undefined : openSync("/dev/null", "r+")
  try {
    const child = spawn(fileOf(spec), [...spec.args], {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: [
        spec.stdin ?? "ignore",
        spec.stdout,
        spec.stderr,
        ...(nothing === undefined ? [] : covered(spec.inherited, nothing)),
      ],
    })
    const { pid } = child
    if (pid !== undefined) return { process: child, pid }
    const [error] = await once(child, "error")
    throw error
  } catch (error) {
    throw startRefused(error, spec.file)
  } finally {
    if (nothing !== undefined) closeSync(nothing)
  }
}

/**
 * Deno puts the text of `cwd` before a relative path; where that names a descriptor of this process, a script's interpreter
 * would look for it among those of the child.
 */
function fileOf({ file, cwd }: ChildSpec): string {
  return isAbsolute(file) || !("deno" in process.versions) ? file : `${realpathSync(cwd)}/${file}`
}

/** Stdio entries from the fourth on. Node sets no flag of a descriptor, but what stands in its place in a child is ours to say; a gap is left as it is. */
export function covered(inherited: readonly number[], nothing: number): readonly (number | "ignore")[] {
  const length = Math.max(0, ...inherited.map((fd) => fd - 2))
  return Array.from({ length }, (_, index) => (inherited.includes(index + 3) ? nothing : ("ignore" as const)))
}

/** A start that the system refused: not started, host and server go on (spec exec-and-jobs.md §10). */
export function spawnFailed(error: unknown): ToolError<"spawn_failed"> {
  const code = codeOf(error)
  if (code === "E2BIG") {
    return new ToolError("spawn_failed", "Command and environment are too long for this system. Shorten them.", {
      details: { code },
      recovery: "fix_input",
      executionState: "not_started",
    })
  }
  return new ToolError("spawn_failed", `The system could not start a process (${code}). Try again later.`, {
    details: { code },
    executionState: "not_started",
    cause: error,
  })
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown"
  // A `mkfifo` that could not be started says why in its own output alone.
  if ("stderr" in error && /resource temporarily unavailable/i.test(String(error.stderr))) return "EAGAIN"
  return "code" in error && typeof error.code === "string" ? error.code : "unknown"
}

/** A program that was there a moment ago, or whose own interpreter is missing, is told as what it is. */
function startRefused(error: unknown, file: string): ToolError {
  const code = codeOf(error)
  if (code === "ENOENT" || code === "ENOTDIR") return executableNotFound(basename(file))
  return code === "EACCES" ? notExecutable(basename(file)) : spawnFailed(error)
}

/** Closes descriptors that the child has by now. */
export function closeAll(descriptors: readonly number[]): void {
  for (const fd of descriptors) closeSync(fd)
}
