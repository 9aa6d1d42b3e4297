import { closeSync } from "node:fs"
import type { StreamName } from "../../../../core/jobs/record.ts"
import type { StartSpec } from "../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { Interpreters } from "./interpreters.ts"
import type { Journal } from "./journal.ts"
import { type JobPipes, type PipePool, takeJobPipes } from "./pipes.ts"
import { openStdin, removePrivate, writeScript } from "./private-files.ts"
import { isRunning, type ProcessRow, type ProcessTable } from "./process-table.ts"
import { type ResolvedCommand, resolveCommand } from "./resolve-command.ts"
import { closeAll, type StartedChild, spawnFailed, startChild } from "./spawn.ts"
import { JOB_MARKER } from "./tree.ts"
import { openWorkingDirectory, type WorkingDirectory } from "./working-directory.ts"

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
  readonly interpreters: Interpreters
  /** Pids of the first processes of commands that were started here and have not ended. */
  readonly children: Set<number>
  now(): number
}

/** How a process ended, as its parent was told; both `null` where nobody was. */
export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** Why it cannot be known. */
  readonly lost?: "supervisor_lost"
}

/** A process that runs, and the ends of its pipes that we read. */
export interface Launched {
  /** Absent where only what it left behind lives. */
  readonly main?: Pick<ProcessRow, "pid" | "startTime">
  readonly startedAt: number
  /** How long it had run before it came into our hands, ms. */
  readonly livedMs: number
  /** Ours from now on. */
  readonly descriptors: Readonly<Partial<Record<StreamName, number>>>
  /** Whether it has not ended yet, as the system says now. */
  isAlive(): boolean
  /** Called once, when it has ended. */
  onExit(heard: (exit: Exit) => void): void
  /** Nobody waits for it any more: it must not hold this process up. */
  release(): void
  /** Removes the script's file, once the process has ended. */
  removeScript(): void
  /** Removes the names of the pipes, once they are not read any more; `wereEmptied`: each was read to the end of its last writer. */
  removePipes(wereEmptied: boolean): void
}

/** Where a command runs, open, and what it comes to there. The descriptor is the caller's to close. */
export interface PreparedCommand {
  readonly directory: WorkingDirectory
  readonly command: ResolvedCommand
}

/**
 * Everything about a command that can refuse before anything of it exists. Throws `workspace_missing`, `cwd_invalid`,
 * `capability_unavailable`, `executable_not_found`, `not_executable`, `interpreter_unavailable`.
 */
export async function prepareCommand(
  spec: Pick<StartSpec, "root" | "cwd" | "command" | "env">,
  { environment, shells, interpreters }: Pick<LaunchPorts, "environment" | "shells" | "interpreters">,
): Promise<PreparedCommand> {
  const directory = openWorkingDirectory(spec.root, spec.cwd)
  try {
    const searchPath = callEnvironment(spec).PATH ?? environment.PATH ?? ""
    const command = await resolveCommand(spec.command, { root: spec.root, directory, searchPath, shells, interpreters })
    return { directory, command }
  } catch (error) {
    directory.close()
    throw error
  }
}

/**
 * From a spec to a running process: everything that can refuse is done first, then `accepted` is journalled, then the
 * process is made, then `started` is journalled (spec exec-and-jobs.md §6.1). Throws as `prepareCommand`, `spawn_failed`,
 * `storage_unavailable`.
 */
export async function launch(spec: StartSpec, ports: LaunchPorts): Promise<Launched> {
  const { directory, command } = await prepareCommand(spec, ports)
  try {
    const pipes = await openPipes(spec, ports)
    try {
      return await withScript(spec, ports, { directory, command, pipes })
    } catch (error) {
      closeAll([pipes.stdout.readFd, pipes.stderr.readFd])
      pipes.remove(false)
      throw error
    } finally {
      closeAll([pipes.stdout.writeFd, pipes.stderr.writeFd])
    }
  } finally {
    directory.close()
  }
}

interface Place extends PreparedCommand {
  readonly pipes: JobPipes
}

async function withScript(spec: StartSpec, ports: LaunchPorts, place: Place): Promise<Launched> {
  const { command, pipes } = place
  const script = openScript(spec, ports, command)
  try {
    const { child, startTime, startedAt } = await spawnInto(spec, ports, { ...place, script })
    const main = { pid: child.pid, startTime }
    ports.children.add(child.pid)
    child.process.once("exit", () => ports.children.delete(child.pid))
    return {
      main,
      startedAt,
      livedMs: 0,
      descriptors: { stdout: pipes.stdout.readFd, stderr: pipes.stderr.readFd },
      isAlive: () => isRunning(ports.processes, main),
      onExit: (heard) => void child.process.on("exit", (code, signal) => heard({ code, signal })),
      release: () => child.process.unref(),
      removeScript: () => removeScript(script),
      removePipes: pipes.remove,
    }
  } catch (error) {
    removeScript(script)
    throw error
  }
}

function removeScript(path: string | undefined): void {
  if (path !== undefined) removePrivate(path)
}

async function openPipes(spec: StartSpec, { pipes }: LaunchPorts): Promise<JobPipes> {
  try {
    return await takeJobPipes(pipes, spec.jobId)
  } catch (error) {
    throw spawnFailed(error)
  }
}

function openScript(spec: StartSpec, ports: LaunchPorts, { script }: ResolvedCommand): string | undefined {
  try {
    return script === undefined ? undefined : writeScript(ports.privateDirectory, spec.jobId, script)
  } catch (error) {
    throw spawnFailed(error)
  }
}

async function spawnInto(
  spec: StartSpec,
  ports: LaunchPorts,
  { command, directory, pipes, script }: Place & { readonly script: string | undefined },
): Promise<{ readonly child: StartedChild; readonly startTime: number; readonly startedAt: number }> {
  const stdin = openInput(spec, ports)
  try {
    accept(spec, ports)
    const env = { ...ports.environment, ...callEnvironment(spec), [JOB_MARKER]: spec.jobId }
    const child = await startChild({
      file: command.file,
      args: command.args(script ?? ""),
      cwd: directory.path,
      env,
      ...(stdin === undefined ? {} : { stdin }),
      stdout: pipes.stdout.writeFd,
      stderr: pipes.stderr.writeFd,
      inherited: ports.inherited,
    })
    const startTime = ports.processes.read(child.pid)?.startTime ?? 0
    const startedAt = ports.now()
    noteStart(spec, ports, { at: startedAt, pid: child.pid, start: startTime })
    return { child, startTime, startedAt }
  } finally {
    if (stdin !== undefined) closeSync(stdin)
  }
}

function callEnvironment(spec: Pick<StartSpec, "env">): Readonly<Record<string, string>> {
  return Object.fromEntries(spec.env.map(({ name, value }) => [name, value]))
}

function openInput(spec: StartSpec, ports: LaunchPorts): number | undefined {
  try {
    return spec.stdin === undefined ? undefined : openStdin(ports.privateDirectory, spec.jobId, spec.stdin)
  } catch (error) {
    throw spawnFailed(error)
  }
}

/** Without this line the Job counts as never started, so a start whose line cannot be written does not happen. */
function accept(spec: StartSpec, ports: LaunchPorts): void {
  try {
    ports.journal.append({
      e: "accepted",
      job: spec.jobId,
      at: ports.now(),
      boot: ports.processes.bootId(),
      place: { runtime: ports.privateDirectory, timeoutMs: spec.timeoutMs, background: spec.background },
    })
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
