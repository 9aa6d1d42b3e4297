import { mkdirSync, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { FifoPool } from "./fifo-pool.ts"

/** The places of one generation of a shell (spec shells.md §5.1); all beneath a directory that is ours alone. */
export interface Layout {
  readonly directory: string
  /** FIFO: frames. */
  readonly input: string
  /** FIFO: wake-ups. */
  readonly wake: string
  /** FIFO: snapshots. */
  readonly snap: string
  /** FIFO: the shell's own stdout. */
  readonly own: string
  /** FIFO: the shell's own stderr. */
  readonly diag: string
  /** File: the text of the command. */
  readonly command: string
  /** File: the standard input of the command. */
  readonly stdin: string
  /** File: what the idle record sources. */
  readonly record: string
  /** File: the newest snapshot. */
  readonly snapshot: string
  /** Directory: status files. */
  readonly status: string
}

/** Names the places beneath a directory, without making one. */
export function layoutOf(directory: string): Layout {
  const at = (name: string): string => join(directory, name)
  return {
    directory,
    input: at("in"),
    wake: at("k"),
    snap: at("snap"),
    own: at("own"),
    diag: at("diag"),
    command: at("c"),
    stdin: at("i"),
    record: at("r"),
    snapshot: at("n"),
    status: at("s"),
  }
}

/** Makes directory and FIFOs. */
export async function makeLayout(directory: string, fifos: FifoPool): Promise<Layout> {
  const layout = layoutOf(directory)
  mkdirSync(layout.status, { recursive: true, mode: 0o700 })
  for (const path of [layout.input, layout.wake, layout.snap, layout.own, layout.diag]) await fifos.place(path)
  return layout
}

/** Removes everything of a generation. */
export function removeLayout(layout: Layout): void {
  rmSync(layout.directory, { recursive: true, force: true })
}

/** The same while others are served: it takes longer than a shell takes to start. What is left goes with the host's folder. */
export function removeLayoutSoon(layout: Layout): void {
  void rm(layout.directory, { recursive: true, force: true }).catch(() => undefined)
}
