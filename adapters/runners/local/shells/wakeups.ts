import { readPipe } from "../host/pipe-reader.ts"

const LONGEST = 256

/** Reads the FIFO by which a shell says that it finished a frame. */
export interface Wakeups {
  /** Words that were not expected: somebody else wrote them (spec shells.md §5.2). */
  readonly violations: number
  /** Calls `wake` when this token comes; the one that was expected before may still come, too late to say anything. */
  expect(token: string, wake: () => void): void
  close(): void
}

/** The descriptor is ours from now on; it is open for writing too, so that it never ends. */
export function createWakeups(fd: number): Wakeups {
  let expected: { readonly token: string; readonly wake: () => void } | undefined
  let late: string | undefined
  let pending = ""
  let violations = 0

  function take(chunk: Uint8Array): void {
    const lines = (pending + Buffer.from(chunk).toString("latin1")).split("\n")
    pending = (lines.pop() ?? "").slice(-LONGEST)
    for (const line of lines) {
      if (line === expected?.token) {
        const { wake } = expected
        expected = undefined
        wake()
      } else if (line === late) late = undefined
      else violations += 1
    }
  }

  const reader = readPipe(fd, { data: take, end: () => undefined })
  return {
    get violations() {
      return violations
    },
    expect(token, wake) {
      late = expected?.token
      expected = { token, wake }
    },
    close: () => reader.close(),
  }
}
