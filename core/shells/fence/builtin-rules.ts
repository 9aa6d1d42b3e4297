import type { SimpleCommand } from "./frames.ts"
import { type Invocation, invocationOf } from "./invocation.ts"
import type { Word } from "./word.ts"

/** Programs that fetch from the network. */
const DOWNLOADERS = new Set(["curl", "wget", "fetch"])
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"])
const READS_TEXT = new Set([...SHELLS, "eval", "source", "."])
const SHUTDOWNS = new Set(["shutdown", "poweroff", "reboot", "halt"])
/** Devices that swallow what is written to them. */
const HARMLESS = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+|shm\/.+)$/
const HOME = /^(?:~|\$HOME|\$\{HOME\}|\/root|\/home\/[^/]+|\/Users\/[^/]+)$/

/**
 * The rules that `builtin` switches on (spec shells.md §8): deleting `/` or a home, `mkfs`, `dd` to a device, shutdown, and a
 * download that a shell reads. One object serves one text: which pipelines hold a download is remembered.
 */
export class BuiltinRules {
  readonly #downloads = new Set<number>()

  /** What the command does that is refused, as the end of "which …". */
  refuses({ pipeline, outputs, within }: SimpleCommand, { programs, args }: Invocation): string | undefined {
    const program = programs.at(-1)
    if (program === undefined) return undefined
    if (DOWNLOADERS.has(program)) {
      this.#downloads.add(pipeline)
      if (READS_TEXT.has(innerProgram(within) ?? "")) return RUNS_DOWNLOAD
    }
    if (SHELLS.has(program) && this.#downloads.has(pipeline) && readsInput(args)) return RUNS_DOWNLOAD
    if (program === "rm" && deletesAll(args)) return "deletes / or a home directory"
    if (/^mkfs(?:\..+)?$/.test(program)) return "makes a file system"
    if (program === "dd" && writesDevice(args, outputs)) return "writes to a device"
    if (SHUTDOWNS.has(program)) return "shuts the machine down"
    return undefined
  }
}

const RUNS_DOWNLOAD = "runs a download in a shell"

const innerProgram = (command: SimpleCommand | undefined): string | undefined =>
  command === undefined ? undefined : invocationOf(command.words).programs.at(-1)

/** A shell without a script reads its commands from its input. */
function readsInput(args: readonly Word[]): boolean {
  const options = args.filter(({ text }) => /^[-+]/.test(text))
  const has = (letter: string): boolean =>
    options.some(({ text }) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter))
  return !has("c") && (has("s") || options.length === args.length)
}

function deletesAll(args: readonly Word[]): boolean {
  const options = args.filter(({ text }) => text.startsWith("-")).map(({ text }) => text)
  const has = (letters: RegExp, long: string): boolean =>
    options.some((text) => (text.startsWith("--") ? text === long : letters.test(text)))
  if (!has(/[rR]/, "--recursive") || !has(/f/, "--force")) return false
  return args.some(({ text }) => {
    if (!/^[/~$]/.test(text)) return false
    const bare = text.replaceAll(/\/{2,}/g, "/").replace(/(?:\/(?:\.|\*|\.\*)?)+$/, "")
    return bare === "" || HOME.test(bare)
  })
}

function writesDevice(args: readonly Word[], outputs: readonly Word[]): boolean {
  const named = args.filter(({ text }) => text.startsWith("of=")).map(({ text }) => text.slice(3))
  return [...named, ...outputs.map(({ text }) => text)].some((path) => path.startsWith("/dev/") && !HARMLESS.test(path))
}
