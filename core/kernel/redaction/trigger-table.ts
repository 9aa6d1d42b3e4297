import { TRIGGERS, type Trigger } from "./shapes.ts"

/** The triggers as one dense automaton: one look-up a byte, whatever the number of shapes. */
export interface TriggerTable {
  /** Next state at `(state << 8) | byte`. */
  readonly next: Uint8Array
  /** Per state: how many of the last bytes may be the beginning of a trigger. */
  readonly depth: Uint8Array
  /** States below this one complete no trigger. */
  readonly firstAccepting: number
  /** What the accepting state `firstAccepting + i` completes. */
  readonly accepted: readonly Trigger[]
}

/** Every beginning of every trigger, the ones that complete a trigger last; the empty one first. */
function beginnings(): string[] {
  const all = new Set([""])
  for (const { text } of TRIGGERS) for (let length = 1; length <= text.length; length++) all.add(text.slice(0, length))
  return [...all].sort((a, b) => Number(completed(a) !== undefined) - Number(completed(b) !== undefined))
}

function completed(text: string): Trigger | undefined {
  return TRIGGERS.filter((trigger) => text.endsWith(trigger.text)).sort((a, b) => b.text.length - a.text.length)[0]
}

function buildTable(): TriggerTable {
  const states = beginnings()
  const index = new Map(states.map((text, state) => [text, state]))
  const next = new Uint8Array(states.length << 8)
  const follow = (text: string): number => {
    for (let from = 0; from <= text.length; from++) {
      const state = index.get(text.slice(from))
      if (state !== undefined) return state
    }
    return 0
  }
  const bytes = new Set(TRIGGERS.flatMap(({ text }) => Array.from(text, (char) => char.charCodeAt(0))))
  states.forEach((text, state) => {
    for (const byte of bytes) next[(state << 8) | byte] = follow(text + String.fromCharCode(byte))
  })
  const accepted = states.flatMap((text) => completed(text) ?? [])
  return {
    next,
    depth: Uint8Array.from(states, (text) => text.length),
    firstAccepting: states.length - accepted.length,
    accepted,
  }
}

/** Built once from `TRIGGERS`; never changed. */
export const TRIGGER_TABLE: TriggerTable = buildTable()
