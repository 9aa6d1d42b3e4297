const INHERITED = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG"] as const
const FALLBACK_PATH = "/usr/local/bin:/usr/bin:/bin"

const DEFAULTS: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  // Fails loudly where an editor would be opened; `true` would silently perform a rebase.
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  DEBIAN_FRONTEND: "noninteractive",
}

/** What the server's environment and the configuration let children see (spec shells.md §7). */
export interface EnvironmentSource {
  readonly server: Readonly<Record<string, string | undefined>>
  /** Further names, or `PREFIX_*`. */
  readonly passthrough?: readonly string[]
  /** Values that are always set. */
  readonly set?: Readonly<Record<string, string>>
}

/** The environment every child starts from; the server's own never reaches one (spec shells.md §7). */
export function baseEnvironment(source: EnvironmentSource): Readonly<Record<string, string>> {
  const wanted = [...INHERITED, "LC_*", ...(source.passthrough ?? [])]
  const base: Record<string, string> = {}
  for (const [name, value] of Object.entries(source.server)) {
    if (value !== undefined && wanted.some((pattern) => matches(pattern, name))) base[name] = value
  }
  base.PATH ??= FALLBACK_PATH
  base.TERM = "dumb"
  return { ...withUtf8(base), ...DEFAULTS, ...source.set }
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

function withUtf8(base: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const locale = base.LC_ALL ?? base.LC_CTYPE ?? base.LANG ?? ""
  if (/utf-?8/i.test(locale)) return base
  const { LC_ALL: _all, LC_CTYPE: _type, ...rest } = base
  return { ...rest, LANG: "C.UTF-8" }
}
