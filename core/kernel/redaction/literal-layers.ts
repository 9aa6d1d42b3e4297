import { LiteralAutomaton } from "./literal-automaton.ts"
import { type Literal, type LiteralForm, literalForms } from "./literal-forms.ts"
import { ASSIGNMENT_NAMES, maskName, SHAPE_NAMES } from "./mask.ts"
import { TRIGGERS } from "./shapes.ts"
import type { EngineParts } from "./span-engine.ts"

/** Above this many characters × spellings a text is scanned rather than searched for each spelling. */
const SEARCH_WORK = 400_000

/** A longer text (UTF-16 units) is scanned at once: looking first whether anything can be in it costs too much. */
const LONG_TEXT = 16_384

const C1_CONTROL = /[\u0080-\u009f]/

/** Control sequences may hide a secret from a plain search. */
function hasControlSequences(text: string): boolean {
  return text.includes("\x1b") || C1_CONTROL.test(text)
}

function anyOf(texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replace(/[^A-Za-z0-9_]/g, "\\$&")).join("|"))
}

/** Matches every text that a shape, or an existing mask, may be in. */
const SHAPE_TRIGGER = anyOf(TRIGGERS.map(({ text }) => text))

const NO_LITERALS = new LiteralAutomaton([])

/** Literals that were registered together; their spellings and automaton are built when first needed. */
export class LiteralLayer {
  readonly literals: readonly Literal[]
  #forms: readonly LiteralForm[] | undefined
  #automaton: LiteralAutomaton | undefined

  constructor(literals: readonly Literal[]) {
    this.literals = literals
  }

  /** The automaton of this layer alone. */
  get automaton(): LiteralAutomaton {
    this.#automaton ??= new LiteralAutomaton(this.#spellings())
    return this.#automaton
  }

  /** False only if `text`, which has no control sequence, certainly holds none of the literals. */
  mayOccurIn(text: string): boolean {
    const forms = this.#spellings()
    if (this.#automaton !== undefined || text.length * forms.length > SEARCH_WORK)
      return this.automaton.mayOccurIn(text)
    return forms.some((form) => form.isPiece || text.includes(form.text))
  }

  #spellings(): readonly LiteralForm[] {
    this.#forms ??= literalForms(this.literals)
    return this.#forms
  }
}

/** Chooses what a text needs to be scanned for: usually nothing, or one layer. */
export class LayerChoice {
  readonly #layers: readonly LiteralLayer[]
  #union: LiteralLayer | undefined
  #names: ReadonlySet<string> | undefined

  constructor(layers: readonly LiteralLayer[]) {
    this.#layers = layers
  }

  /** Every literal of every layer. */
  all(): EngineParts {
    return this.#parts(this.#layers)
  }

  /** What has to be looked for in `text`; `undefined` when nothing can be in it. */
  partsFor(text: string): EngineParts | undefined {
    if (text.length > LONG_TEXT || hasControlSequences(text)) return this.all()
    const layers = this.#layers.filter((layer) => layer.mayOccurIn(text))
    return layers.length === 0 && !SHAPE_TRIGGER.test(text) ? undefined : this.#parts(layers)
  }

  #parts(layers: readonly LiteralLayer[]): EngineParts {
    const [first] = layers
    if (first === undefined) return { automaton: NO_LITERALS, knownNames: this.#knownNames() }
    if (layers.length > 1) this.#union ??= new LiteralLayer(this.#layers.flatMap((layer) => layer.literals))
    const layer = layers.length > 1 && this.#union !== undefined ? this.#union : first
    return { automaton: layer.automaton, knownNames: this.#knownNames() }
  }

  #knownNames(): ReadonlySet<string> {
    this.#names ??= new Set([
      ...SHAPE_NAMES,
      ...ASSIGNMENT_NAMES,
      ...this.#layers.flatMap((layer) => layer.literals.map(({ name }) => maskName(name))),
    ])
    return this.#names
  }
}
