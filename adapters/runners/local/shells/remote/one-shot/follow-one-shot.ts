import { constants } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import type { StreamName } from "../../../../../../core/jobs/record.ts"
import type { StoredSoFar } from "../../transport.ts"
import { createFarOutput, type FarOutput } from "../far-stream.ts"
import type { FarProcess } from "../relay/far-process.ts"
import type { FarStream } from "../relay/relay.ts"
import { type GoneReason, TargetGone } from "../relay/tether.ts"
import { readOneShotEnd } from "./one-shot-text.ts"
import type { StartedOneShot } from "./start-one-shot.ts"

const FIRST_PAUSE_MS = 3
const LONGEST_PAUSE_MS = 100
const LATE_PAUSE_MS = 500
/** What is left may end by itself (spec exec-and-jobs.md §8.3). */
const LINGER_MS = 200
const DRAIN_MS = 2000

/** How a command on a target ended, as the `sh` that waited for it says. */
export type FarEnd =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "signaled"; readonly signal: string }
  | { readonly kind: "unknown"; readonly reason: "process_gone" | "supervisor_lost" }
  | { readonly kind: "gone"; readonly reason: GoneReason }

/** Somebody who reads its output and waits for its end. */
export interface OneShotWatch {
  readonly over: Promise<FarEnd>
  /** Its end, as the target says now; `undefined` while it runs. */
  ask(): Promise<FarEnd | undefined>
  /** After the end: what is alive of it when it had a moment to end by itself, and at once where it is kept anyway. */
  settle(background: "end" | "keep"): Promise<readonly FarProcess[]>
  /** Delivers what was written until now. */
  drain(): Promise<void>
  /** Resolves when nobody can write any more, and everything is delivered. */
  late(): Promise<void>
  abandon(): void
}

const STREAMS = ["stdout", "stderr"] as const
const fileOf = (stream: StreamName): FarStream => (stream === "stdout" ? "od" : "ed")

interface Look {
  readonly bytes: number
  readonly dead?: number
  readonly alive: boolean
}

/** Asks the target until it tells the end; a lost link only delays the answers (spec shells.md §9.1). */
export function followOneShot(
  one: StartedOneShot,
  ports: {
    accept(stream: StreamName, chunk: Uint8Array): void
    /** What of a stream is stored by now. */
    stored(stream: StreamName): StoredSoFar
    /** The bytes that come are those from here on. */
    rebase(stream: StreamName, at: StoredSoFar & { readonly written: number }): void
    linkChanged(isLost: boolean): void
  },
): OneShotWatch {
  const { relay, tether, token } = one
  let abandoned = false
  const outputOf = (stream: StreamName): FarOutput =>
    createFarOutput(
      {
        token,
        file: fileOf(stream),
        accept: (chunk) => ports.accept(stream, chunk),
        stored: () => ports.stored(stream),
      },
      { relay, tokens: { next: () => token } },
    )
  const outputs = [outputOf("stdout"), outputOf("stderr")] as const

  /** Reads on from where the files on the target begin; what of it is stored already, the spool knows. */
  async function takeUp(): Promise<void> {
    const cuts = await relay.resume(token)
    tether.settle()
    for (const [index, stream] of STREAMS.entries()) {
      const cut = cuts[fileOf(stream)]
      if (cut === undefined) continue
      outputs[index]?.resume(cut)
      ports.rebase(stream, { ...cut, bytes: cut.stored })
    }
  }

  let turn: Promise<unknown> = one.isResumed ? takeUp() : Promise.resolve()

  /** One after the other: each reads on where the last one ended. */
  function look(): Promise<Look> {
    const next = turn.then(ask, ask)
    turn = next
    return next
  }

  async function ask(): Promise<Look> {
    const parent = await one.parent()
    if (parent === undefined) return { bytes: 0, alive: false }
    const state = await relay.state(token, parent.pid, parent.startTime)
    const ended = [state.outEnded, state.errEnded]
    const sizes = await Promise.all(outputs.map((output, index) => output.take(ended[index] === true)))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    return { bytes, alive: state.alive, ...(state.dead === undefined ? {} : { dead: state.dead }) }
  }

  async function untilOver(): Promise<FarEnd> {
    let pause = FIRST_PAUSE_MS
    let silent = 0
    while (!abandoned) {
      const { bytes, dead, alive } = await look()
      if (dead !== undefined) return endOf(dead)
      // The report is written before the one who writes it goes.
      if (!alive) silent += 1
      if (silent > 1) return { kind: "unknown", reason: await whyUnknown() }
      pause = bytes > 0 ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Math.ceil(pause * 1.5))
      await sleep(pause)
    }
    return { kind: "unknown", reason: "process_gone" }
  }

  /** It may have run where its host died before it was told. */
  const whyUnknown = async (): Promise<"process_gone" | "supervisor_lost"> =>
    (await one.parent()) === undefined ? "supervisor_lost" : "process_gone"

  async function watchLink(): Promise<void> {
    while (!abandoned && tether.gone === undefined) {
      await tether.changed()
      if (!abandoned) ports.linkChanged(tether.isRecovering)
    }
  }
  void watchLink()

  const isDelivered = (): boolean => outputs.every((output) => output.isOver)

  return {
    over: untilOver().catch((error: unknown) => {
      if (error instanceof TargetGone) return { kind: "gone", reason: error.reason } as const
      throw error
    }),
    async ask() {
      const { dead } = await look()
      return dead === undefined ? undefined : endOf(dead)
    },
    async settle(background) {
      const until = performance.now() + LINGER_MS
      for (;;) {
        await look()
        const left = await one.members()
        if (left.length === 0 || background === "keep" || performance.now() >= until) return left
        await sleep(FIRST_PAUSE_MS)
      }
    },
    async drain() {
      const until = performance.now() + DRAIN_MS
      while (!isDelivered() && performance.now() < until) {
        const { bytes } = await look()
        if (bytes === 0 && !isDelivered() && (await one.members()).length > 0) return
      }
    },
    async late() {
      while (!abandoned && !isDelivered()) {
        await look()
        await sleep(LATE_PAUSE_MS)
      }
      while (!abandoned && (await one.members()).length > 0) await sleep(LATE_PAUSE_MS)
    },
    abandon() {
      abandoned = true
    },
  }
}

function endOf(dead: number): FarEnd {
  const end = readOneShotEnd(dead)
  if ("exitCode" in end) return { kind: "exited", exitCode: end.exitCode }
  const name = Object.entries(constants.signals).find(([, number]) => number === end.signalNumber)?.[0]
  return name === undefined ? { kind: "unknown", reason: "process_gone" } : { kind: "signaled", signal: name }
}
