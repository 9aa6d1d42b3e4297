import type { JsonPath } from "../definition.ts"
import { ByteStream } from "./byte-stream.ts"
import type { Literal } from "./literal-forms.ts"
import { LayerChoice, LiteralLayer } from "./literal-layers.ts"
import { pathTree, redactStrings } from "./redact-value.ts"
import type { EngineParts } from "./span-engine.ts"
import { decodeText, encodeText, endsInHighSurrogate } from "./text-codec.ts"
import { spansOf, type TextSpan } from "./text-spans.ts"

export type { Literal } from "./literal-forms.ts"

/** A masked value, how many masks were put in, and their NAMEs, each once. */
export interface RedactedValue {
  readonly value: unknown
  readonly count: number
  readonly names: readonly string[]
}

/** A masked text, how many masks were put in, and their NAMEs, each once. */
export interface RedactedText {
  readonly text: string
  readonly count: number
  readonly names: readonly string[]
}

/** Masks one text that arrives in chunks; the output is that of the whole text, however it was cut. */
export interface TextRedactionStream {
  /** Takes a chunk in; gives what can no longer become part of a match. */
  push(chunk: string): string
  /** Ends the text; gives the rest. */
  end(): string
  /** Masks put in so far. */
  readonly count: number
}

/** Masks one byte stream that arrives in chunks, looking through control sequences (shells.md §4.3). */
export interface ByteRedactionStream {
  /** Takes a chunk in; gives what can no longer become part of a match. */
  push(chunk: Uint8Array): Uint8Array
  /** Ends the stream; gives the rest. */
  end(): Uint8Array
  /** Masks put in so far. */
  readonly masked: number
}

/** The one redactor (kernel.md §12): registered literals in every spelling, then the known shapes. Immutable. */
export interface Redactor {
  /** A redactor that masks these literals too. Cheap: nothing is built until a text may hold one. */
  with(literals: readonly Literal[]): Redactor
  /** Masks one text; control sequences inside a secret do not hide it. */
  redactText(text: string): RedactedText
  /** Masks every string of plain JSON; keys stay, and so do members at `verbatim` paths (`items[].id`). */
  redactValue(value: unknown, options?: { readonly verbatim?: readonly JsonPath[] }): RedactedValue
  /** Where `redactText` would put masks, control sequences taken as characters. */
  spansOf(text: string): readonly TextSpan[]
  textStream(): TextRedactionStream
  byteStream(): ByteRedactionStream
}

/** A redactor of these literals and all shapes. A value shorter than 4 characters is not searched. */
export function createRedactor(literals: readonly Literal[]): Redactor {
  return redactorOf(literals.length === 0 ? [] : [new LiteralLayer(literals)])
}

function redactorOf(layers: readonly LiteralLayer[]): Redactor {
  const choice = new LayerChoice(layers)
  const redactText = (text: string): RedactedText => {
    const parts = choice.partsFor(text)
    return parts === undefined ? { text, count: 0, names: [] } : redactWhole(text, parts)
  }
  /** Commands of one shell come with the same literals again and again. */
  let last: { readonly literals: readonly Literal[]; readonly redactor: Redactor } | undefined
  const self: Redactor = {
    with(literals) {
      if (literals.length === 0) return self
      if (last === undefined || !areSame(last.literals, literals)) {
        const own = [...literals]
        last = { literals: own, redactor: redactorOf([...layers, new LiteralLayer(own)]) }
      }
      return last.redactor
    },
    redactText,
    redactValue(value, options = {}) {
      let count = 0
      const names = new Set<string>()
      const mask = (text: string): string => {
        const masked = redactText(text)
        count += masked.count
        for (const name of masked.names) names.add(name)
        return masked.text
      }
      const verbatim = options.verbatim === undefined ? undefined : pathTree(options.verbatim)
      return { value: redactStrings(value, mask, verbatim), count, names: [...names] }
    },
    spansOf(text) {
      const parts = choice.partsFor(text)
      return parts === undefined ? [] : spansOf(text, parts)
    },
    textStream: () => new TextStream(choice.all()),
    byteStream: () => new ByteStream(choice.all()),
  }
  return self
}

function areSame(some: readonly Literal[], others: readonly Literal[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, value }, at) => name === others[at]?.name && value === others[at]?.value)
  )
}

function redactWhole(text: string, parts: EngineParts): RedactedText {
  const stream = new ByteStream(parts)
  const head = stream.push(encodeText(text))
  const tail = stream.end()
  if (stream.masked === 0) return { text, count: 0, names: [] }
  return { text: decodeText(head) + decodeText(tail), count: stream.masked, names: stream.names }
}

/** The text form of a byte stream: characters go in and come out whole. */
class TextStream implements TextRedactionStream {
  readonly #bytes: ByteStream
  #highSurrogate = ""

  constructor(parts: EngineParts) {
    this.#bytes = new ByteStream(parts)
  }

  get count(): number {
    return this.#bytes.masked
  }

  push(chunk: string): string {
    const text = this.#highSurrogate + chunk
    const cut = endsInHighSurrogate(text) ? text.length - 1 : text.length
    this.#highSurrogate = text.slice(cut)
    return decodeText(this.#bytes.push(encodeText(text.slice(0, cut))))
  }

  end(): string {
    const head = decodeText(this.#bytes.push(encodeText(this.#highSurrogate)))
    this.#highSurrogate = ""
    return head + decodeText(this.#bytes.end())
  }
}
