/** What a Runner says about an absolute path that a Project might have as its root (spec kernel.md §9). */
export interface RootFacts {
  /** Real path of the deepest existing ancestor plus the rest, `/`-separated. */
  readonly realPath: string
  readonly kind: "directory" | "other" | "missing"
  /** Whether the directory has its own `.git`. */
  readonly git: boolean
}

/** The directory half of a Runner: looks at and makes Project roots. It grants nothing; the rules in core do. */
export interface ProjectRoots {
  inspect(path: string): Promise<RootFacts>
  /** Makes one directory level; `gitInit` also makes it a repository. Throws `path_not_found` when the parent is missing. */
  create(path: string, options: { readonly gitInit: boolean }): Promise<RootFacts>
  /** The home directory and other places that are never a Project (spec kernel.md §9), as real paths. */
  places(): Promise<{ readonly home: string; readonly dataDir: string }>
}
