import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { createInterface } from "node:readline"
import type { BoardUnderTest } from "../../domain/messages/board-under-test.ts"

const PROGRAM = path.join(import.meta.dirname, "board-process.ts")

/** A process that works on S of a board. */
export interface BoardProcess {
  readonly child: ChildProcess
  /** What it says, parsed; ends with the process. */
  readonly lines: AsyncIterable<unknown>
}

/** Starts one. */
export function startProcess(board: BoardUnderTest, work: string, input: unknown = []): BoardProcess {
  const child = spawn(process.execPath, [PROGRAM, board.home, board.dataDir, board.s, work, JSON.stringify(input)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  })
  return { child, lines: parsed(createInterface({ input: child.stdout })) }
}

async function* parsed(lines: AsyncIterable<string>): AsyncIterable<unknown> {
  for await (const line of lines) yield JSON.parse(line)
}

/** Everything that a process says until it ends by itself. */
export async function runProcess(board: BoardUnderTest, work: string, input: unknown): Promise<readonly unknown[]> {
  const { child, lines } = startProcess(board, work, input)
  const ended = once(child, "close")
  const said: unknown[] = []
  for await (const line of lines) said.push(line)
  const [code] = await ended
  if (code !== 0) throw new Error(`${work} ended with ${code}`)
  return said
}

/** What a process says before it is killed at once after `count` lines. */
export async function killAfter(board: BoardUnderTest, work: string, count: number): Promise<readonly unknown[]> {
  const { child, lines } = startProcess(board, work)
  const ended = once(child, "close")
  const said: unknown[] = []
  for await (const line of lines) {
    said.push(line)
    if (said.length === count) child.kill("SIGKILL")
  }
  await ended
  return said
}
