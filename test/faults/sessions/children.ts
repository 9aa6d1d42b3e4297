import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import type { Harness } from "../../support/harness.ts"

/** A child of a test with the lines that it has written. */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess
  readonly lines: string[]
  /** Waits until a line of the output satisfies, or the child ends. */
  line(satisfies: (line: string) => boolean): Promise<string>
  /** Waits for so many lines, or the end of the child. */
  count(lines: number): Promise<void>
  /** Ends it as a crash does, whatever it does, and waits until it is gone. */
  kill(): Promise<void>
  /** Waits for its own end. */
  readonly ended: Promise<unknown>
}

/** Starts a script of this folder over the data directory of a harness. */
export function startChild(
  script: string,
  place: Pick<Harness, "home" | "dataDir">,
  ...args: readonly string[]
): Child {
  const file = path.join(import.meta.dirname, script)
  const child = spawn(process.execPath, ["--no-warnings", file, place.home, place.dataDir, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const lines: string[] = []
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
  })
  const ended = once(child, "close")
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds() && !hasEnded) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL")
    await ended
  }
  return {
    process: child,
    lines,
    ended,
    async line(satisfies) {
      await until(() => lines.some(satisfies))
      const found = lines.find(satisfies)
      if (found === undefined) throw new Error(`The child ended without the line; it wrote ${lines.join(" | ")}`)
      return found
    },
    count: (many) => until(() => lines.length >= many),
    kill,
    [Symbol.asyncDispose]: kill,
  }
}
