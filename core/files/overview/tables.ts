/** What a directory is for. */
export type RootRole = "source" | "test" | "docs" | "config"

interface NameRule {
  readonly type: string
  readonly name: RegExp
}

/** Manifests: what a file's name says about the kind of project, and that it lists what the project is made of. */
export const MANIFESTS: readonly NameRule[] = [
  { type: "node", name: /^package\.json$/ },
  { type: "deno", name: /^deno\.jsonc?$/ },
  { type: "rust", name: /^Cargo\.toml$/ },
  { type: "go", name: /^go\.(?:mod|work)$/ },
  { type: "python", name: /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements\.txt|Pipfile)$/ },
  { type: "java", name: /^(?:pom\.xml|build\.gradle)$/ },
  { type: "kotlin", name: /^build\.gradle\.kts$/ },
  { type: "ruby", name: /^(?:Gemfile|.+\.gemspec)$/ },
  { type: "php", name: /^composer\.json$/ },
  { type: "dotnet", name: /^.+\.(?:sln|slnx|csproj|fsproj|vbproj)$/ },
  { type: "elixir", name: /^mix\.exs$/ },
  { type: "erlang", name: /^rebar\.config$/ },
  { type: "swift", name: /^Package\.swift$/ },
  { type: "dart", name: /^pubspec\.yaml$/ },
  { type: "scala", name: /^build\.sbt$/ },
  { type: "haskell", name: /^(?:stack\.yaml|cabal\.project|.+\.cabal)$/ },
  { type: "ocaml", name: /^dune-project$/ },
  { type: "zig", name: /^build\.zig$/ },
  { type: "clojure", name: /^(?:deps\.edn|project\.clj)$/ },
  { type: "julia", name: /^Project\.toml$/ },
  { type: "cmake", name: /^CMakeLists\.txt$/ },
  { type: "meson", name: /^meson\.build$/ },
  { type: "bazel", name: /^(?:MODULE\.bazel|WORKSPACE(?:\.bazel)?)$/ },
  { type: "make", name: /^(?:GNUm|M|m)akefile$/ },
  { type: "nix", name: /^flake\.nix$/ },
]

/** Signs of a kind of project that are no manifests. */
export const SIGNS: readonly NameRule[] = [
  { type: "typescript", name: /^tsconfig(?:\..+)?\.json$/ },
  { type: "docker", name: /^(?:Dockerfile|(?:docker-)?compose\.ya?ml)$/ },
  { type: "terraform", name: /^.+\.tf$/ },
]

/** Files that a newcomer reads, the most telling first. */
export const KEY_FILES: readonly RegExp[] = [
  /^(?:AGENTS|agents)\.md$/,
  /^CLAUDE\.md$/,
  /^copilot-instructions\.md$/,
  /^README(?:\.(?:md|rst|txt|adoc))?$/i,
  /^CONTRIBUTING(?:\.(?:md|rst|txt))?$/i,
  /^(?:ARCHITECTURE|DESIGN)\.md$/i,
  /^(?:CHANGELOG|CHANGES|HISTORY)(?:\.(?:md|rst|txt))?$/i,
  /^(?:LICENSE|LICENCE|COPYING)(?:\.(?:md|txt))?$/i,
  /^SECURITY\.md$/i,
]

/** How many of `KEY_FILES`, from the first, are worth reading before anything else. */
export const FIRST_READS = 6

/** Where a program starts. */
export const ENTRY_FILE =
  /^(?:main|index|app|mod|lib|cli|server|__main__)\.(?:[cm]?[jt]sx?|py|rs|go|rb|php|java|kt|c|cc|cpp)$/

const ROLES: Readonly<Record<RootRole, ReadonlySet<string>>> = {
  source: new Set([
    "src",
    "lib",
    "libs",
    "app",
    "apps",
    "packages",
    "crates",
    "cmd",
    "internal",
    "pkg",
    "core",
    "server",
    "client",
    "source",
    "sources",
    "include",
    "modules",
    "components",
  ]),
  test: new Set(["test", "tests", "spec", "specs", "__tests__", "e2e", "testing", "integration-tests"]),
  docs: new Set(["doc", "docs", "documentation"]),
  config: new Set(["config", "configs", "conf", ".config", ".github", ".gitlab", ".circleci", ".ci", ".vscode"]),
}

/** What a directory's name says it is for. */
export function roleOf(name: string): RootRole | undefined {
  const roles: readonly RootRole[] = ["source", "test", "docs", "config"]
  return roles.find((role) => ROLES[role].has(name.toLowerCase()))
}
