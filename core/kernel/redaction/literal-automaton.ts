import type { LiteralForm } from "./literal-forms.ts"
import { MASK_PREFIX } from "./mask.ts"

/** A form of so many bytes or more is seen at every third byte by two of its first four. */
const PAIRED_BYTES = 4

/** Index of three bytes in the table of possible beginnings. */
export function beginningOf(first: number, second: number, third: number): number {
  return ((first << 9) ^ (second << 5) ^ third) & 0xffff
}

/** Open-addressed map from (state, byte) to the next state; 0 is "none", since no edge leads back to the root. */
class EdgeTable {
  readonly #keys: Int32Array
  readonly #targets: Int32Array
  readonly #mask: number

  constructor(edges: number) {
    let size = 16
    while (size < edges * 2) size *= 2
    this.#keys = new Int32Array(size)
    this.#targets = new Int32Array(size)
    this.#mask = size - 1
  }

  #slot(key: number): number {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 8) & this.#mask
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask
    return slot
  }

  get(state: number, byte: number): number {
    return this.#targets[this.#slot((state << 8) + byte + 1)] ?? 0
  }

  set(state: number, byte: number, target: number): void {
    const key = (state << 8) + byte + 1
    const slot = this.#slot(key)
    this.#keys[slot] = key
    this.#targets[slot] = target
  }
}

/**
 * Finds every occurrence of any form in one pass (Aho–Corasick over bytes): time is linear in the text whatever the
 * number of forms and their common beginnings. Immutable once built.
 */
export class LiteralAutomaton {
  /** Per state: how many of the last bytes may be the beginning of an occurrence. */
  readonly depth: Int32Array
  /** Per state: length of the longest form that ends here, 0 if none does. */
  readonly matchLength: Int32Array
  /** Not 0 at `beginningOf` of the first three bytes of each form: what lets a scanner skip ordinary text. */
  readonly beginnings = new Uint8Array(0x10000)
  /**
   * Not 0 at `first << 8 | second` of every two neighbours among the first four bytes of each form and of a mask: a scanner
   * that finds 0 at one position knows that nothing begins at it or at the two before. Absent where a form is too short.
   */
  readonly pairs: Uint8Array | undefined
  /** There is no form. */
  readonly isEmpty: boolean
  /** The state after one byte at the root: most steps end there. */
  readonly #fromRoot = new Int32Array(256)
  readonly #edges: EdgeTable
  readonly #fail: Int32Array
  readonly #matchForm: Int32Array
  readonly #names: readonly string[]

  constructor(forms: readonly LiteralForm[]) {
    const states = forms.reduce((sum, form) => sum + form.bytes.length, 1)
    this.#edges = new EdgeTable(states)
    this.#fail = new Int32Array(states)
    this.depth = new Int32Array(states)
    this.matchLength = new Int32Array(states)
    this.#matchForm = new Int32Array(states)
    this.#names = forms.map((form) => form.name)
    this.#link(this.#insert(forms, states))
    this.isEmpty = forms.length === 0
    this.pairs = pairsOf(forms)
  }

  /** The state after one more byte. */
  step(from: number, byte: number): number {
    for (let state = from; state !== 0; state = this.#fail[state] ?? 0) {
      const next = this.#edges.get(state, byte)
      if (next !== 0) return next
    }
    return this.#fromRoot[byte] ?? 0
  }

  /** False only if `text` certainly holds no form; exact for ASCII. */
  mayOccurIn(text: string): boolean {
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit > 0x7f) return true
      if (state === 0 && at + 2 < text.length) {
        const second = text.charCodeAt(at + 1)
        const third = text.charCodeAt(at + 2)
        if (second < 0x80 && third < 0x80 && this.beginnings[beginningOf(unit, second, third)] === 0) continue
      }
      state = this.step(state, unit)
      if (this.matchLength[state] !== 0) return true
    }
    return false
  }

  /** The mask's NAME of the longest form that ends in `state`. */
  matchName(state: number): string {
    return this.#names[this.#matchForm[state] ?? 0] ?? "secret"
  }

  /** Builds the trie; gives parent and byte of each state in order of creation. */
  #insert(forms: readonly LiteralForm[], states: number): { parent: Int32Array; byte: Uint8Array; count: number } {
    const parent = new Int32Array(states)
    const byte = new Uint8Array(states)
    let count = 1
    forms.forEach((form, index) => {
      let state = 0
      for (const value of form.bytes) {
        let next = this.#edges.get(state, value)
        if (next === 0) {
          next = count++
          this.#edges.set(state, value, next)
          if (state === 0) this.#fromRoot[value] = next
          parent[next] = state
          byte[next] = value
          this.depth[next] = (this.depth[state] ?? 0) + 1
        }
        state = next
      }
      this.#accept(state, index, form.bytes)
    })
    return { parent, byte, count }
  }

  #accept(state: number, form: number, bytes: Uint8Array): void {
    this.beginnings[beginningOf(bytes[0] ?? 0, bytes[1] ?? 0, bytes[2] ?? 0)] = 1
    if (this.matchLength[state] !== 0) return
    this.matchLength[state] = bytes.length
    this.#matchForm[state] = form
  }

  /** Fail links, nearest states first; a state inherits the longest match of its fail state. */
  #link(trie: { parent: Int32Array; byte: Uint8Array; count: number }): void {
    const order = byDepth(this.depth, trie.count)
    for (const state of order) {
      const parent = trie.parent[state] ?? 0
      const fail = parent === 0 ? 0 : this.step(this.#fail[parent] ?? 0, trie.byte[state] ?? 0)
      this.#fail[state] = fail
      if (this.matchLength[state] !== 0) continue
      this.matchLength[state] = this.matchLength[fail] ?? 0
      this.#matchForm[state] = this.#matchForm[fail] ?? 0
    }
  }
}

function pairsOf(forms: readonly LiteralForm[]): Uint8Array | undefined {
  if (forms.some(({ bytes }) => bytes.length < PAIRED_BYTES)) return undefined
  const pairs = new Uint8Array(0x10000)
  for (const bytes of [new TextEncoder().encode(MASK_PREFIX), ...forms.map((form) => form.bytes)]) {
    for (let at = 1; at < PAIRED_BYTES; at++) pairs[((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0)] = 1
  }
  return pairs
}

/** States 1..count-1 by depth (counting sort). */
function byDepth(depth: Int32Array, count: number): Int32Array {
  let deepest = 0
  for (let state = 1; state < count; state++) deepest = Math.max(deepest, depth[state] ?? 0)
  const starts = new Int32Array(deepest + 2)
  for (let state = 1; state < count; state++) {
    const slot = (depth[state] ?? 0) + 1
    starts[slot] = (starts[slot] ?? 0) + 1
  }
  for (let level = 1; level < starts.length; level++) starts[level] = (starts[level] ?? 0) + (starts[level - 1] ?? 0)
  const order = new Int32Array(count - 1)
  for (let state = 1; state < count; state++) {
    const level = depth[state] ?? 0
    const slot = starts[level] ?? 0
    order[slot] = state
    starts[level] = slot + 1
  }
  return order
}
