/** What a group of rows is told, and where it leaves what has to be undone. */
export interface Bench {
  /** A fast pass: a tenth of the rounds and of the seeded rows. */
  readonly quick: boolean
  /** `full` of the whole run, a tenth of it in a fast one. */
  count(full: number): number
  /** Registers what is undone when the group has ended, last first. */
  undo(work: () => Promise<unknown> | unknown): void
}

/** Runs one group and undoes what it left, however it ended. */
export async function withBench<T>(quick: boolean, run: (bench: Bench) => Promise<T>): Promise<T> {
  const undone: (() => Promise<unknown> | unknown)[] = []
  try {
    return await run({
      quick,
      count: (full) => (quick ? Math.ceil(full / 10) : full),
      undo: (work) => undone.unshift(work),
    })
  } finally {
    for (const work of undone) await work()
  }
}
