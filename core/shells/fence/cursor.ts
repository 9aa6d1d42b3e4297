import type { Listener } from "./command-list.ts"
import type { Frame, SimpleCommand } from "./frames.ts"

/** A text to scan: commands, or the body of a here-document, in which only substitutions are commands. */
export interface ScanItem {
  readonly text: string
  readonly as: "commands" | "body"
  readonly within: SimpleCommand | undefined
}

/** What a scan tells, and what it leaves for others. */
export interface ScanContext extends Listener {
  /** A text inside this one that is scanned on its own. */
  later(item: ScanItem): void
  /** Whether so many units may be read once more. */
  mayRepeat(units: number): boolean
}

/** A place in a text, and what is open there. */
export class Cursor {
  readonly text: string
  readonly context: ScanContext
  /** The innermost last. */
  readonly frames: Frame[] = []
  at = 0

  constructor(text: string, context: ScanContext) {
    this.text = text
    this.context = context
  }

  /** The unit so far from here; `""` behind the end. */
  peek(ahead = 0): string {
    return this.text.charAt(this.at + ahead)
  }

  /** What a sticky pattern matches here; it is passed over. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? ""
    this.at += found.length
    return found
  }

  /** Where the next `sign` without a backslash before it stands; the text's end where there is none. */
  closing(sign: string, from: number): number {
    let at = from
    while (at < this.text.length && this.text[at] !== sign) at += this.text[at] === "\\" ? 2 : 1
    return Math.min(at, this.text.length)
  }
}
