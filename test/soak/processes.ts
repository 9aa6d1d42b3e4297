import { readdirSync, readFileSync } from "node:fs"

/** What one process of the product holds. */
export interface Held {
  readonly descriptors: number
  readonly rssMb: number
}

/** Zombies below the given processes; Linux only, as this whole script. */
export function zombiesOf(parents: readonly number[]): number {
  let zombies = 0
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const [state, parent] = textOf(`/proc/${name}/stat`)
      .replace(/^.*\) /s, "")
      .split(" ")
    if (state === "Z" && parents.includes(Number(parent))) zombies += 1
  }
  return zombies
}

/** Descriptors and memory of one process; zero when it is gone. */
export function heldBy(pid: number): Held {
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? "0"
  return { descriptors: entriesOf(`/proc/${pid}/fd`), rssMb: Math.round(Number(rss) / 1024) }
}

/** Processes whose command line has this word. */
export function pidsWith(word: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && textOf(`/proc/${name}/cmdline`).split("\0").includes(word))
    .map(Number)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

function entriesOf(path: string): number {
  try {
    return readdirSync(path).length
  } catch {
    return 0
  }
}
