/** A configuration value that overrides what files say. */
export type ConfigOverride = readonly [key: string, value: string]

/**
 * Overrides of every run (files-and-git.md §5.1): no network, no hook, no command named by a repository, and output
 * in the one form that is parsed. A directory that cannot have entries stands for the empty hooks directory.
 */
const FIXED: readonly ConfigOverride[] = [
  ["protocol.allow", "never"],
  ["core.hooksPath", "/dev/null"],
  ["safe.bareRepository", "explicit"],
  ["core.fsmonitor", ""],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", "false"],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  ["core.alternateRefsCommand", "false"],
  ["core.quotePath", "false"],
  ["diff.external", ""],
  ["diff.suppressBlankEmpty", "false"],
  ["diff.autoRefreshIndex", "true"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
]

const VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: "C.UTF-8",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  GIT_PAGER: "cat",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_ALLOW_PROTOCOL: "",
}

/** The inherited environment without anything that steers git. */
export function inheritedEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(?:GIT_|LC_|LANGUAGE$)/.test(entry[0]),
  )
  return Object.fromEntries(kept)
}

/** Where a run finds its repository; absent while it is still looked for. */
export interface GitLocation {
  readonly gitDir: string
  readonly workTree: string
}

/** The whole environment of one run of an observe tool. */
export function gitEnvironment(
  inherited: Readonly<Record<string, string>>,
  location: GitLocation | { readonly ceiling: string },
  overrides: readonly ConfigOverride[],
): Record<string, string> {
  const config = [...FIXED, ...overrides]
  const numbered = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  const where =
    "gitDir" in location
      ? { GIT_DIR: location.gitDir, GIT_WORK_TREE: location.workTree }
      : { GIT_CEILING_DIRECTORIES: location.ceiling }
  return {
    ...inherited,
    ...VARIABLES,
    ...where,
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(numbered),
  }
}
