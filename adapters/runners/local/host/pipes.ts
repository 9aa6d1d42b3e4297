import { closeSync, constants, openSync, renameSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import type { StreamName } from "../../../../core/jobs/record.ts"
import { createFifoSupply } from "./fifo-supply.ts"
import { removePrivate } from "./private-files.ts"

/** Both ends of one real pipe; `/dev/stdout` and `/dev/fd/N` work on it, as on no socket pair (spec shells.md §4.2). */
export interface OutputPipe {
  /** Non-blocking. */
  readonly readFd: number
  /** Opened for reading too: a child that keeps it never gets SIGPIPE when the reader dies (spec exec-and-jobs.md §6.2). */
  readonly writeFd: number
}

/** The pipes of one Job. Their names live as long as it may write, so that the next host can open them again. */
export interface JobPipes extends Readonly<Record<StreamName, OutputPipe>> {
  /** Takes the names away. */
  remove(): void
}

/** Makes pipes ahead of need: Node has no pipe(2), and one `mkfifo` for many costs a command nothing. */
export interface PipePool {
  /** The private directory in which the pipes have their names. */
  readonly directory: string
  /**
   * A pipe without a name, or one that is called `name` in the directory from now on. Rejects with the system's error when
   * no pipe can be made.
   */
  take(name?: string): Promise<OutputPipe>
  /** Somebody removed the directory, which is there again: forgets the names in it. */
  renew(): void
  close(): void
}

/** A pool of named pipes in a private directory; none is used twice. */
export function createPipePool(directory: string, environment: Readonly<Record<string, string>>): PipePool {
  const supply = createFifoSupply(directory, { prefix: "p", environment })
  return {
    directory,
    take: async (name) => open(await supply.take(), name === undefined ? undefined : join(directory, name)),
    renew: supply.renew,
    close: supply.close,
  }
}

/** Where the pipe of a Job's stream lies in the private directory of the host that started it. */
export function jobPipePath(directory: string, jobId: string, stream: StreamName): string {
  return join(directory, jobPipeName(jobId, stream))
}

const jobPipeName = (jobId: string, stream: StreamName): string => `${jobId}.${stream}`

/** Two pipes under names of the Job's own. Rejects with the system's error. */
export async function takeJobPipes(pool: PipePool, jobId: string): Promise<JobPipes> {
  const remove = (): void => removeJobPipes(pool.directory, jobId)
  const stdout = await pool.take(jobPipeName(jobId, "stdout"))
  try {
    return { stdout, stderr: await pool.take(jobPipeName(jobId, "stderr")), remove }
  } catch (error) {
    closeSync(stdout.readFd)
    closeSync(stdout.writeFd)
    remove()
    throw error
  }
}

/** Takes the names of a Job's pipes away. */
export function removeJobPipes(directory: string, jobId: string): void {
  removePrivate(jobPipePath(directory, jobId, "stdout"))
  removePrivate(jobPipePath(directory, jobId, "stderr"))
}

/** Opens the reading end of a pipe that has a name, non-blocking; `undefined` when there is none. */
export function openPipeForReading(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}

function open(made: string, name: string | undefined): OutputPipe {
  const readFd = openSync(made, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const writeFd = openSync(made, constants.O_RDWR)
    settleName(made, name, writeFd)
    return { readFd, writeFd }
  } catch (error) {
    closeSync(readFd)
    removePrivate(made)
    throw error
  }
}

function settleName(made: string, name: string | undefined, writeFd: number): void {
  try {
    if (name === undefined) unlinkSync(made)
    else renameSync(made, name)
  } catch (error) {
    closeSync(writeFd)
    throw error
  }
}
