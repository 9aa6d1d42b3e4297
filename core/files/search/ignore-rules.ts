import { type IgnoreRule, lastVerdict, parseIgnoreRule } from "../globs/gitignore.ts"

/** One file of ignore rules: `.gitignore`, or `.git/info/exclude`, whose rules give way to every `.gitignore`. */
export interface RuleFile {
  readonly kind: "gitignore" | "exclude"
  readonly text: string
}

/** The rules of one file, or what is left of them further down. */
class Layer {
  readonly kind: RuleFile["kind"]
  /** Directory that the rules are relative to; empty for the root. */
  readonly #base: string
  readonly #rules: readonly IgnoreRule[]
  /** Verdicts on directories, which every path below asks for again. */
  readonly #directories = new Map<string, IgnoreRule | undefined>()

  constructor(kind: RuleFile["kind"], base: string, rules: readonly IgnoreRule[]) {
    this.kind = kind
    this.#base = base
    this.#rules = rules
  }

  /** The rule that decides on a path: a directory that is ignored takes all below with it. */
  verdict(path: string, isDirectory: boolean): IgnoreRule | undefined {
    return this.#rules.length === 0 ? undefined : this.#verdictBelow(this.#relative(path), isDirectory)
  }

  /** Rules that ignore `directory` itself are forgotten below it: who is there has been let in. */
  entered(directory: string): Layer {
    if (this.#base !== "" && !directory.startsWith(`${this.#base}/`)) return this
    let rules = this.#rules
    let current: Layer = this
    for (let rule = this.verdict(directory, true); rule?.negated === false; rule = current.verdict(directory, true)) {
      const forgotten = rule
      rules = rules.filter((kept) => kept !== forgotten)
      current = new Layer(this.kind, this.#base, rules)
    }
    return current
  }

  #verdictBelow(path: string, isDirectory: boolean): IgnoreRule | undefined {
    if (!isDirectory) return this.#ignoredAbove(path) ?? lastVerdict(this.#rules, path, false)
    if (this.#directories.has(path)) return this.#directories.get(path)
    const verdict = this.#ignoredAbove(path) ?? lastVerdict(this.#rules, path, true)
    this.#directories.set(path, verdict)
    return verdict
  }

  #ignoredAbove(path: string): IgnoreRule | undefined {
    const slash = path.lastIndexOf("/")
    const above = slash < 0 ? undefined : this.#verdictBelow(path.slice(0, slash), true)
    return above?.negated === false ? above : undefined
  }

  #relative(path: string): string {
    return this.#base === "" ? path : path.slice(this.#base.length + 1)
  }
}

const rulesOf = (text: string): readonly IgnoreRule[] =>
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line) => parseIgnoreRule(line) ?? [])

/**
 * The ignore rules in force in one directory (files-and-git.md §3): `.gitignore` files, the deepest first, then
 * `.git/info/exclude`. Immutable.
 */
export class IgnoreRules {
  readonly #layers: readonly Layer[]

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers
  }

  /** No rule at all. */
  static readonly none: IgnoreRules = new IgnoreRules([])

  /** The rules in `directory`, a child of the directory these are of; empty text for the root. */
  enter(directory: string, files: readonly RuleFile[], isRepository: boolean): IgnoreRules {
    const kept = isRepository || directory === "" ? [] : this.#layers.map((layer) => layer.entered(directory))
    const own = files.map((file) => new Layer(file.kind, directory, rulesOf(file.text)))
    return new IgnoreRules([...own, ...kept])
  }

  /** Whether a child of the directory is ignored. */
  ignores(path: string, isDirectory: boolean): boolean {
    return this.#verdict("gitignore", path, isDirectory) ?? this.#verdict("exclude", path, isDirectory) ?? false
  }

  #verdict(kind: RuleFile["kind"], path: string, isDirectory: boolean): boolean | undefined {
    for (const layer of this.#layers) {
      const verdict = layer.kind === kind ? layer.verdict(path, isDirectory) : undefined
      if (verdict !== undefined) return !verdict.negated
    }
    return undefined
  }
}
