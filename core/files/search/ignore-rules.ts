import ignore from "ignore"

/** One file of ignore rules: `.gitignore`, or `.git/info/exclude`, whose rules give way to every `.gitignore`. */
export interface RuleFile {
  readonly kind: "gitignore" | "exclude"
  readonly text: string
}

interface Layer {
  readonly kind: RuleFile["kind"]
  /** Directory that the rules are relative to; empty for the root. */
  readonly base: string
  readonly rules: readonly string[]
  readonly matcher: ignore.Ignore
}

function matcherOf(rules: readonly string[]): ignore.Ignore {
  return ignore({ ignorecase: false }).add(rules.map((pattern, index) => ({ pattern, mark: String(index) })))
}

const layerOf = (kind: RuleFile["kind"], base: string, rules: readonly string[]): Layer => ({
  kind,
  base,
  rules,
  matcher: matcherOf(rules),
})

const linesOf = (text: string): readonly string[] =>
  text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "")

const relativeTo = (base: string, path: string): string => (base === "" ? path : path.slice(base.length + 1))

const below = (base: string, path: string): boolean => base === "" || path.startsWith(`${base}/`)

/** Rules that ignore `directory` itself are forgotten below it: who is there has been let in. */
function entered(layer: Layer, directory: string): Layer {
  if (!below(layer.base, directory)) return layer
  const path = `${relativeTo(layer.base, directory)}/`
  let current = layer
  for (let verdict = current.matcher.test(path); verdict.ignored; verdict = current.matcher.test(path)) {
    const mark = Number(verdict.rule?.mark ?? 0)
    const rules = current.rules.filter((_, index) => index !== mark)
    current = layerOf(layer.kind, layer.base, rules)
  }
  return current
}

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
    const kept = isRepository || directory === "" ? [] : this.#layers.map((layer) => entered(layer, directory))
    const own = files.map((file) => layerOf(file.kind, directory, linesOf(file.text)))
    return new IgnoreRules([...own, ...kept])
  }

  /** Whether a child of the directory is ignored. */
  ignores(path: string, isDirectory: boolean): boolean {
    return this.#verdict("gitignore", path, isDirectory) ?? this.#verdict("exclude", path, isDirectory) ?? false
  }

  #verdict(kind: RuleFile["kind"], path: string, isDirectory: boolean): boolean | undefined {
    for (const layer of this.#layers) {
      if (layer.kind !== kind || layer.rules.length === 0) continue
      const verdict = layer.matcher.test(`${relativeTo(layer.base, path)}${isDirectory ? "/" : ""}`)
      if (verdict.ignored) return true
      if (verdict.unignored) return false
    }
    return undefined
  }
}
