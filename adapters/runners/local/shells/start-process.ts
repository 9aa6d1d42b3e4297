import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, constants, openSync } from "node:fs"
import { createDeferred } from "../host/deferred.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { covered, spawnFailed } from "../host/spawn.ts"
import type { Layout } from "./layout.ts"
import type { SeatDeath } from "./transport.ts"

/** A shell's process as we started it. */
export interface ShellProcess {
  readonly pid: number
  readonly startTime: number
  readonly died: Promise<SeatDeath>
  /** Does not keep our own process alive any more. */
  unref(): void
}

/** What one generation is started with. */
export interface ProcessSpec {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Descriptors that children must not get, see `inherited.ts`. */
  readonly inherited: readonly number[]
}

/** Arguments that make bash survive what it is given (spec shells.md §5.1). */
export const BASH_ARGS = ["--norc", "--noprofile", "--noediting", "-i"] as const

/**
 * Starts a shell in a session of its own: it reads frames from `in`, which it holds open for writing too, so that no
 * writer can vanish; what it says for itself goes to `own` and `diag`. Throws `spawn_failed`.
 */
export async function startProcess(spec: ProcessSpec, layout: Layout, processes: ProcessTable): Promise<ShellProcess> {
  const descriptors: number[] = []
  const open = (path: string, flags: number): number => {
    const fd = openSync(path, flags)
    descriptors.push(fd)
    return fd
  }
  try {
    const stdin = open(layout.input, constants.O_RDWR)
    const stdout = open(layout.own, constants.O_RDWR)
    const stderr = open(layout.diag, constants.O_RDWR)
    const nothing = open("/dev/null", constants.O_RDWR)
    const child = spawn(spec.program, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      detached: true,
      stdio: [stdin, stdout, stderr, ...covered(spec.inherited, nothing)],
    })
    return await started(child, processes)
  } catch (error) {
    throw spawnFailed(error)
  } finally {
    for (const fd of descriptors) closeSync(fd)
  }
}

async function started(child: ChildProcess, processes: ProcessTable): Promise<ShellProcess> {
  const died = createDeferred<SeatDeath>()
  child.on("exit", (exitCode, signal) => died.resolve({ exitCode, signal }))
  const { pid } = child
  if (pid === undefined) {
    const [error] = await once(child, "error")
    throw error
  }
  return {
    pid,
    startTime: processes.read(pid)?.startTime ?? 0,
    died: died.promise,
    unref: () => child.unref(),
  }
}
