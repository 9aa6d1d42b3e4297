import type { Execution } from "./executions.ts"

const TOLD = 20

/** What one execution answered. */
export interface Answer {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | null
}

/** Where a command ran. */
export type Way = "shell" | "one-shot"

/** Counts answers and remembers the first that were not right. */
export interface Tally {
  readonly executions: number
  readonly shell: number
  readonly oneShot: number
  /** Answers that are not what the command wrote and how it ended. */
  readonly wrong: number
  /** Calls that gave no answer. */
  readonly failed: number
  /** The first twenty faults. */
  readonly faults: readonly string[]
  judge(way: Way, wanted: Execution, got: Answer): void
  fail(error: unknown): void
}

/** An empty tally. */
export function createTally(): Tally {
  const counts = { shell: 0, oneShot: 0, wrong: 0, failed: 0 }
  const faults: string[] = []

  function note(kind: "wrong" | "failed", text: string): void {
    counts[kind] += 1
    if (faults.length < TOLD) faults.push(`${kind}: ${text}`)
  }

  return {
    get executions() {
      return counts.shell + counts.oneShot
    },
    get shell() {
      return counts.shell
    },
    get oneShot() {
      return counts.oneShot
    },
    get wrong() {
      return counts.wrong
    },
    get failed() {
      return counts.failed
    },
    faults,
    judge(way, wanted, got) {
      counts[way === "shell" ? "shell" : "oneShot"] += 1
      const isRight = got.stdout === wanted.stdout && got.stderr === wanted.stderr && got.exit === wanted.exit
      if (!isRight) note("wrong", `${way} ${JSON.stringify({ wanted, got })}`)
    },
    fail(error) {
      note("failed", error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    },
  }
}
