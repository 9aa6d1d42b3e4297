import type { StartSpec } from "../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { Journal } from "./journal.ts"
import type { OutputPipe, PipePool } from "./pipes.ts"
import type { ProcessTable } from "./process-table.ts"
import { closeAll, openStdin, type StartedChild, spawnFailed, startChild } from "./spawn.ts"
import { JOB_MARKER } from "./tree.ts"
import { openWorkingDirectory } from "./working-directory.ts"

/** What a host needs to start a command. */
export interface LaunchPorts {
  readonly pipes: PipePool
  readonly journal: Journal
  readonly processes: ProcessTable
  readonly environment: Readonly<Record<string, string>>
  /** The host's private folder of the runtime directory. */
  readonly privateDirectory: string
  /** Descriptors that children must not get, see `inherited.ts`. */
  readonly inherited: readonly number[]
  /** Absolute paths of the shells that exist here. */
  readonly shells: Readonly<Partial<Record<"sh" | "bash", string>>>
  now(): number
}

/** A running child and the ends of its pipes that we read. */
export interface Launched {
  readonly child: StartedChild
  readonly startTime: number
  readonly startedAt: number
  readonly stdout: number
  readonly stderr: number
}

/**
 * From a spec to a running process: everything that can refuse is done first, then `accepted` is journalled, then the
 * process is made, then `started` is journalled (spec exec-and-jobs.md §6.1). Throws `workspace_missing`, `cwd_invalid`,
 * `capability_unavailable`, `spawn_failed`, `storage_unavailable`.
 */
export async function launch(spec: StartSpec, ports: LaunchPorts): Promise<Launched> {
  const shell = chooseShell(spec, ports.shells).path
  const directory = openWorkingDirectory(spec.root, spec.cwd)
  try {
    const { stdout, stderr } = await takePipes(ports.pipes)
    const writeEnds = [stdout.writeFd, stderr.writeFd]
    try {
      const started = await spawnInto(spec, ports, { shell, cwd: directory.path, writeEnds })
      return { ...started, stdout: stdout.readFd, stderr: stderr.readFd }
    } catch (error) {
      closeAll([stdout.readFd, stderr.readFd])
      throw error
    } finally {
      closeAll(writeEnds)
    }
  } finally {
    directory.close()
  }
}

/** The shell that runs a command, or `capability_unavailable` (spec exec-and-jobs.md §2: bash where present). */
export function chooseShell(
  spec: Pick<StartSpec, "command">,
  shells: LaunchPorts["shells"],
): { readonly name: "sh" | "bash"; readonly path: string } {
  const name = spec.command.shell ?? (shells.bash === undefined ? "sh" : "bash")
  const path = shells[name]
  if (path !== undefined) return { name, path }
  throw new ToolError("capability_unavailable", `No ${name} is installed here. Name the other shell.`, {
    details: { reason: "shell_missing" },
    executionState: "not_started",
  })
}

async function takePipes(pool: PipePool): Promise<{ readonly stdout: OutputPipe; readonly stderr: OutputPipe }> {
  try {
    const stdout = await pool.take()
    try {
      return { stdout, stderr: await pool.take() }
    } catch (error) {
      closeAll([stdout.readFd, stdout.writeFd])
      throw error
    }
  } catch (error) {
    throw spawnFailed(error)
  }
}

async function spawnInto(
  spec: StartSpec,
  ports: LaunchPorts,
  place: { readonly shell: string; readonly cwd: string; readonly writeEnds: readonly number[] },
): Promise<Omit<Launched, "stdout" | "stderr">> {
  const stdin = openInput(spec, ports)
  try {
    accept(spec, ports)
    const [stdout = stdin, stderr = stdin] = place.writeEnds
    const env = { ...ports.environment, ...callEnvironment(spec), [JOB_MARKER]: spec.jobId }
    const child = await startChild({
      shell: place.shell,
      text: spec.command.text,
      cwd: place.cwd,
      env,
      stdin,
      stdout,
      stderr,
      inherited: ports.inherited,
    })
    const startTime = ports.processes.read(child.pid)?.startTime ?? 0
    const startedAt = ports.now()
    noteStart(spec, ports, { at: startedAt, pid: child.pid, start: startTime })
    return { child, startTime, startedAt }
  } finally {
    closeAll([stdin])
  }
}

function callEnvironment(spec: StartSpec): Readonly<Record<string, string>> {
  return Object.fromEntries(spec.env.map(({ name, value }) => [name, value]))
}

function openInput(spec: StartSpec, ports: LaunchPorts): number {
  try {
    return openStdin(ports.privateDirectory, spec.jobId, spec.stdin)
  } catch (error) {
    throw spawnFailed(error)
  }
}

/** Without this line the Job counts as never started, so a start whose line cannot be written does not happen. */
function accept(spec: StartSpec, ports: LaunchPorts): void {
  try {
    ports.journal.append({ e: "accepted", job: spec.jobId, at: ports.now(), boot: ports.processes.bootId() })
  } catch (error) {
    throw new ToolError("storage_unavailable", "The Runner's journal cannot be written. Free disk space, then retry.", {
      executionState: "not_started",
      cause: error,
    })
  }
}

function noteStart(
  spec: StartSpec,
  ports: LaunchPorts,
  start: { readonly at: number; readonly pid: number; readonly start: number },
): void {
  try {
    ports.journal.append({ e: "started", job: spec.jobId, ...start })
  } catch {
    // The process runs; without this line a recovery calls its end unknown, which is then the truth.
  }
}
