import { closeSync, constants, openSync, renameSync } from "node:fs"
import { join } from "node:path"
import type { StreamName } from "../../../../core/jobs/record.ts"
import { createFifoSupply, takeOpened } from "./fifo-supply.ts"
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
  /** Takes the names away, once both reading ends are closed; `wereEmptied`: each was read to the end of its last writer. */
  remove(wereEmptied: boolean): void
}

/** Makes pipes ahead of need: Node has no pipe(2), and one `mkfifo` for many costs a command nothing. */
export interface PipePool {
  /** The private directory in which the pipes have their names. */
  readonly directory: string
  /** A pipe that is called `name` in the directory from now on. Rejects with the system's error when no pipe can be made. */
  take(name: string): Promise<NamedPipe>
  /** Somebody removed the directory, which is there again: forgets the names in it. */
  renew(): void
  close(): void
}

interface NamedPipe extends OutputPipe {
  /** It is used again where nobody has it open any more. */
  giveBack(): void
}

/** A pool of named pipes in a private directory. */
export function createPipePool(directory: string, environment: Readonly<Record<string, string>>): PipePool {
  const supply = createFifoSupply(directory, { prefix: "p", environment })

  function giveBack(path: string, made: string): void {
    try {
      renameSync(path, made)
      supply.give(made)
    } catch {
      // A command has removed the pipe, or somebody the directory.
    }
  }

  function openNext(name: string): Promise<NamedPipe> {
    const path = join(directory, name)
    return takeOpened(supply, (made) => ({ ...open(made, path), giveBack: () => giveBack(path, made) }))
  }

  return {
    directory,
    take: openNext,
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
  const stdout = await pool.take(jobPipeName(jobId, "stdout"))
  try {
    const stderr = await pool.take(jobPipeName(jobId, "stderr"))
    return {
      stdout,
      stderr,
      remove(wereEmptied) {
        // Whoever waits for the end is told first.
        setImmediate(() => {
          if (wereEmptied) for (const pipe of [stdout, stderr]) pipe.giveBack()
          else removeJobPipes(pool.directory, jobId)
        })
      },
    }
  } catch (error) {
    closeSync(stdout.readFd)
    closeSync(stdout.writeFd)
    removeJobPipes(pool.directory, jobId)
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

function open(made: string, name: string): OutputPipe {
  const readFd = openSync(made, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const writeFd = openSync(made, constants.O_RDWR)
    settleName(made, name, writeFd)
    return { readFd, writeFd }
  } catch (error) {
    closeSync(readFd)
    throw error
  }
}

function settleName(made: string, name: string, writeFd: number): void {
  try {
    renameSync(made, name)
  } catch (error) {
    closeSync(writeFd)
    throw error
  }
}
