import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { StreamName } from "../../../../core/jobs/record.ts"
import { jobPipePath } from "../host/pipes.ts"
import { createSlotReader, type Drained, type SlotReader } from "./slot-reader.ts"
import type { Slot, SlotPool } from "./slots.ts"
import type { Tokens } from "./tokens.ts"

const LINGER_MS = 20
const LINGER_STEP_MS = 2
const DONE: Drained = { held: false, gap: false }

/** The output pipes of one command. */
export interface Outlets {
  /** Its stderr has no pipe of its own. */
  readonly isMerged: boolean
  open(slot: Slot, stream: StreamName): void
  /** Reads as it comes, from now on. */
  watch(): void
  /**
   * Everything written before this call is delivered when it resolves (spec shells.md §5.3). Children that end by themselves in a
   * moment, such as those of `> >(cat)`, are waited for.
   */
  drain(options: { readonly tokens: Tokens; hasChildren(): boolean }): Promise<Drained>
  /** The command is over: says when nothing can come any more; the next host finds what stays open by the Job's name. */
  settle(jobId: string | undefined): void
  abandon(): void
}

/** Where the output goes. */
export interface OutletEvents {
  pass(stream: StreamName, chunk: Uint8Array): void
  /** Nothing can come any more; once, after `settle`. */
  quiet(): void
}

interface Outlet {
  readonly reader: SlotReader
  readonly stream: StreamName
  readonly folder: string
}

/** Pipes that go back to `slots` when nobody can write into them any more. */
export function createOutlets(slots: SlotPool, events: OutletEvents): Outlets {
  const outlets: Outlet[] = []
  let open = 0
  let settled = false

  function sweep(): boolean {
    let isDone = true
    for (const { reader } of outlets) if (!reader.sweep()) isDone = false
    return isDone
  }

  return {
    get isMerged() {
      return outlets.length === 1
    },
    open(slot, stream) {
      open += 1
      const reader = createSlotReader(slot, slots, {
        data: (chunk) => events.pass(stream, chunk),
        end() {
          open -= 1
          if (open === 0 && settled) events.quiet()
        },
      })
      outlets.push({ reader, stream, folder: dirname(slot.path) })
    },
    watch() {
      for (const { reader } of outlets) reader.watch()
    },
    async drain({ tokens, hasChildren }) {
      if (sweep()) return DONE
      const until = performance.now() + LINGER_MS
      while (performance.now() < until && hasChildren()) {
        await sleep(LINGER_STEP_MS)
        if (sweep()) return DONE
      }
      const all = await Promise.all(outlets.map(({ reader }) => reader.drain(tokens.next())))
      return { held: all.some(({ held }) => held), gap: all.some(({ gap }) => gap) }
    },
    settle(jobId) {
      settled = true
      if (open === 0) events.quiet()
      else if (jobId !== undefined)
        for (const { reader, folder, stream } of outlets) reader.keepAs(jobPipePath(folder, jobId, stream))
    },
    abandon() {
      for (const { reader } of outlets) reader.abandon()
    },
  }
}
