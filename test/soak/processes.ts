import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

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

/** The Runner host of a data directory, by what it says of itself there; 0 where none lives. */
export function hostOf(dataDir: string): number {
  const owners = namesIn(path.join(dataDir, "runner")).map((name) =>
    textOf(path.join(dataDir, "runner", name, "owner")),
  )
  return Number(/"pid":(\d+)/.exec(owners.join(""))?.[1] ?? 0)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

function entriesOf(place: string): number {
  return namesIn(place).length
}

function namesIn(place: string): readonly string[] {
  try {
    return readdirSync(place)
  } catch {
    return []
  }
}
