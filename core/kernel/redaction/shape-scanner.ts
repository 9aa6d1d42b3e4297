import { AssignmentRecogniser } from "./assignment-recogniser.ts"
import { ALNUM, WORD_DASH } from "./byte-class.ts"
import { JwtRecogniser } from "./jwt-recogniser.ts"
import type { OpaqueSpan } from "./literal-scanner.ts"
import { assignedName, followsAuthorization } from "./look-back.ts"
import { PemBodyRecogniser } from "./pem-body-recogniser.ts"
import { PemHeaderRecogniser } from "./pem-recogniser.ts"
import { HOLD_BYTES, type Recogniser, type Verdict } from "./recogniser.ts"
import { RunRecogniser } from "./run-recogniser.ts"
import type { Trigger } from "./shapes.ts"
import { TRIGGER_TABLE } from "./trigger-table.ts"
import { UrlRecogniser } from "./url-recogniser.ts"
import type { Window } from "./window.ts"

/** A stretch to replace by a mask, or (without `name`) to leave out as the rest of one. */
export interface ShapeSpan {
  readonly from: number
  readonly to: number
  readonly name?: string
}

/** Where a scan ends for now, and whether for good. */
export interface ScanEnd {
  readonly limit: number
  readonly final: boolean
}

const { next, depth, firstAccepting, accepted } = TRIGGER_TABLE

/**
 * Marks the shapes of kernel.md §12 in the visible bytes of one stream, from left to right, around the opaque spans
 * that the literal scanner found. What it decides depends on the bytes alone, never on how they arrive.
 */
export class ShapeScanner {
  /** Found so far and not yet released, in order, never overlapping. */
  readonly spans: ShapeSpan[] = []
  readonly #opaque: OpaqueSpan[]
  readonly #run = new RunRecogniser()
  readonly #jwt = new JwtRecogniser()
  readonly #url = new UrlRecogniser()
  readonly #assignment = new AssignmentRecogniser()
  readonly #pemHeader = new PemHeaderRecogniser()
  readonly #pemBody = new PemBodyRecogniser()
  #active: Recogniser | undefined
  /** The active match was over-long: the rest of it is left out as it comes. */
  #swallowing = false
  #position = 0
  #state = 0
  /** Nothing before this position may serve as context: a mask ends here. */
  #floor = 0
  #triggerEnd = 0
  #triggerState = 0
  #opaqueIndex = 0

  /** `opaque` is the literal scanner's list, to which URL passwords are added; entries leave it only at its front. */
  constructor(opaque: OpaqueSpan[]) {
    this.#opaque = opaque
  }

  /** Nothing from this position on may be given out yet. */
  get holdFrom(): number {
    if (this.#active === undefined) return this.#position - (depth[this.#state] ?? 0)
    return this.#swallowing ? this.#position : this.#active.holdFrom
  }

  /** Reads on up to `end.limit`. */
  scan(window: Window, end: ScanEnd): void {
    while (this.#position < end.limit || (end.final && this.#active !== undefined)) {
      if (this.#active === undefined) this.#scanGround(window, end.limit)
      else if (!this.#scanActive(window, this.#active, end)) return
    }
  }

  /** The first opaque span not before `#position` that is final; the index is moved from where it stood, both ways. */
  #nextOpaque(limit: number): OpaqueSpan | undefined {
    const spans = this.#opaque
    let at = Math.min(this.#opaqueIndex, spans.length)
    while (at > 0 && (spans[at - 1]?.from ?? 0) >= this.#position) at--
    while (at < spans.length && (spans[at]?.from ?? 0) < this.#position) at++
    this.#opaqueIndex = at
    const span = spans[at]
    return span !== undefined && span.to <= limit ? span : undefined
  }

  #scanGround(window: Window, limit: number): void {
    const opaque = this.#nextOpaque(limit)
    const stop = opaque?.from ?? limit
    const { bytes, base } = window
    const end = stop - base
    let state = this.#state
    for (let at = this.#position - base; at < end; at++) {
      state = next[(state << 8) | (bytes[at] ?? 0)] ?? 0
      if (state < firstAccepting) continue
      this.#position = base + at + 1
      this.#state = state
      if (this.#begin(window, accepted[state - firstAccepting])) return
    }
    this.#position = stop
    this.#state = state
    if (opaque !== undefined) this.#moveTo(opaque.to)
  }

  #moveTo(position: number): void {
    this.#position = position
    this.#floor = position
    this.#state = 0
  }

  #byteBefore(window: Window, position: number): number {
    return position <= this.#floor ? 0 : (window.bytes[position - 1 - window.base] ?? 0)
  }

  /** Whether a trigger that ends at `#position` sets off a recogniser. */
  #begin(window: Window, trigger: Trigger | undefined): boolean {
    if (trigger === undefined) return false
    this.#triggerEnd = this.#position
    this.#triggerState = this.#state
    this.#swallowing = false
    this.#active = this.#start(window, trigger, this.#position - trigger.text.length)
    return this.#active !== undefined
  }

  #start(window: Window, trigger: Trigger, from: number): Recogniser | undefined {
    const cursor = this.#position
    switch (trigger.kind) {
      case "sign": {
        const name = assignedName(window, from, this.#floor)
        if (name === undefined) return undefined
        this.#assignment.begin(name, cursor)
        return this.#assignment
      }
      case "url":
        if (ALNUM[this.#byteBefore(window, from)] !== 1) return undefined
        this.#url.begin(cursor)
        return this.#url
      case "pem":
        this.#pemHeader.begin(from, cursor)
        return this.#pemHeader
      case "jwt":
        if (WORD_DASH[this.#byteBefore(window, from)] === 1) return undefined
        this.#jwt.begin(from, cursor)
        return this.#jwt
      case "scheme":
        if (trigger.afterAuthorization && !followsAuthorization(window, from, this.#floor)) return undefined
    }
    if (ALNUM[this.#byteBefore(window, from)] === 1) return undefined
    this.#run.begin(trigger.shape, { from, cursor, gap: trigger.kind === "scheme" })
    return this.#run
  }

  /** Lets the active recogniser read on; false when it needs more than there is. */
  #scanActive(window: Window, active: Recogniser, end: ScanEnd): boolean {
    const opaque = this.#nextOpaque(end.limit)
    const held = this.#swallowing ? Number.POSITIVE_INFINITY : active.holdFrom + HOLD_BYTES
    const stop = Math.min(opaque?.from ?? end.limit, held)
    const verdict = active.advance(window, stop)
    if (verdict !== "more") return this.#conclude(active, verdict)
    this.#passTo(active.cursor)
    if (!this.#swallowing && active.cursor >= active.holdFrom + HOLD_BYTES) return this.#overflow(active)
    if (opaque !== undefined && active.cursor === opaque.from) {
      const met = active.opaque(opaque.to)
      if (met !== "more") return this.#conclude(active, met)
      this.#passTo(opaque.to)
      return true
    }
    if (active.cursor < end.limit) return true
    return end.final ? this.#conclude(active, active.finish()) : false
  }

  #passTo(position: number): void {
    if (this.#swallowing && position > this.#position) this.spans.push({ from: this.#position, to: position })
    this.#position = position
  }

  #overflow(active: Recogniser): boolean {
    if (active.overflow === "fail") return this.#conclude(active, "fail")
    if (active === this.#pemBody) return this.#conclude(active, this.#pemBody.release())
    const from = active === this.#url ? active.holdFrom : active.from
    this.spans.push({ from, to: active.cursor, name: active.name })
    this.#swallowing = true
    return true
  }

  #conclude(active: Recogniser, verdict: Verdict): boolean {
    if (this.#swallowing) {
      this.#passTo(active.cursor)
      this.#active = undefined
      this.#moveTo(active.cursor)
      return true
    }
    if (verdict === "body") {
      this.#pemBody.begin(active.from, active.to)
      this.#active = this.#pemBody
      this.#position = active.to
      return true
    }
    if (verdict === "fail") return this.#resume(Math.max(active.holdFrom, this.#triggerEnd))
    if (active === this.#url) {
      this.#insertOpaque({ from: active.from, to: active.to, name: active.name })
      return this.#resume(this.#triggerEnd)
    }
    this.spans.push(
      verdict === "mask"
        ? { from: active.from, to: active.to, name: active.name }
        : { from: active.from, to: active.to },
    )
    if (active.ended) this.#active = undefined
    this.#moveTo(active.to)
    return true
  }

  /** Reads on in the ground state from where the last match was dismissed. */
  #resume(position: number): boolean {
    this.#active = undefined
    this.#position = position
    this.#state = position === this.#triggerEnd ? this.#triggerState : 0
    return true
  }

  /** A password whose user is still to be read: the user may be a secret too. */
  #insertOpaque(span: OpaqueSpan): void {
    const at = this.#opaque.findIndex(({ to }) => to > span.from)
    const first = at < 0 ? this.#opaque.length : at
    let covered = 0
    while ((this.#opaque[first + covered]?.from ?? span.to) < span.to) covered++
    this.#opaque.splice(first, covered, span)
  }
}
