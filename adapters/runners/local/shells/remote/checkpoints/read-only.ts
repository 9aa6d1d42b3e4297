/** Programs and builtins that change no file, whatever their arguments are. */
const HARMLESS = new Set(
  "[ basename cat cd cksum cmp cut date df diff dirname du echo expr false file grep egrep fgrep head hostname id ls md5sum nl od popd printenv printf ps pushd pwd readlink realpath rg seq sha1sum sha256sum sha512sum sleep stat tail test tr tree true type uname uptime wc which who whoami".split(
    " ",
  ),
)

/** `git` without a word that writes: these look, unless they are told to write what they show. */
const GIT_LOOKS = new Set("status log show diff rev-parse ls-files ls-tree blame shortlog describe cat-file".split(" "))

/** Arguments by which `find` acts. */
const FIND_ACTS = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/

/** Signs of an effect or of text that is run and that we do not look into. */
const BEYOND = [">", "$(", "`", "<(", "@P}", "\0"] as const

/**
 * Whether a text provably changes no file (spec shells.md §12): every simple command in it begins with a literal word of a list, and
 * nothing in it redirects output or substitutes a command. Quotes are not looked into, so that a doubt is always "no".
 */
export function isReadOnly(text: string): boolean {
  if (BEYOND.some((sign) => text.includes(sign))) return false
  return text
    .split(/[;|&\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("#"))
    .every(isHarmless)
}

function isHarmless(command: string): boolean {
  const [program = "", ...args] = command.split(/[ \t\r]+/)
  if (program === "git") return isGitLook(args)
  if (program === "find") return args.every((arg) => isPlain(arg) && !FIND_ACTS.test(arg))
  if (program === "sort") return args.every((arg) => isPlain(arg) && !/^-[^-]*o|^--o/.test(arg))
  if (program === "rg") return args.every((arg) => isPlain(arg) && !arg.startsWith("--pre"))
  if (program === "env") return args.length === 0
  if (program === "tree") return args.every((arg) => isPlain(arg) && !/^-[^-]*o|^--o/.test(arg))
  if (program === "date") return args.every((arg) => isPlain(arg) && !/^-[^-]*s|^--s/.test(arg))
  if (program === "hostname") return args.every((arg) => arg.startsWith("-") && !/^-[^-]*[Fb]|^--[fb]/.test(arg))
  return HARMLESS.has(program)
}

function isGitLook(args: readonly string[]): boolean {
  const [verb = "", ...rest] = args
  return GIT_LOOKS.has(verb) && rest.every((arg) => isPlain(arg) && !/^--(?:o|ext|textconv|filters)/.test(arg))
}

/** What an argument says must be seen: no variable and no quote may hide an option. */
const isPlain = (arg: string): boolean => !/["'$\\]/.test(arg)
