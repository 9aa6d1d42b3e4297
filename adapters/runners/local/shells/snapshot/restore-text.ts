import { shellWord } from "../quote.ts"
import { isRestoredShopt, LOST_OPTIONS, READING_WORDS, UNRESTORED_OPTIONS } from "./names.ts"
import { lostName } from "./parse-bash.ts"
import { asBytes } from "./quoting.ts"
import { REPORT_END } from "./restore-report.ts"
import { posixStatements, variableStatements } from "./restore-variables.ts"
import type { ByteText, RestoreOptions, RestoreText, Snapshot, SnapshotFunction } from "./types.ts"

/**
 * The text that a new process sources to take over from a snapshot (spec shells.md §5.6): in the order in which one part
 * needs the other, each thing for itself, so that one that fails is named and the others stay. Before the last lines the
 * report ends; then come what would keep it from being written, and `posix` and `errexit`.
 */
export function restoreText(snapshot: Snapshot, options: RestoreOptions): RestoreText {
  const said = saidBy(snapshot, options)
  const { functions, aliases, dropped } = keptWords(snapshot, options)
  const limits = options.plainWords ? [] : Object.entries(snapshot.limits)
  const lines = [
    ...placeLines(snapshot, said),
    ...variableStatements(snapshot, options.environment),
    ...functionLines(
      snapshot,
      functions.filter(({ name }) => name !== said.word),
      said,
    ),
    ...shoptLines(snapshot),
    ...aliases.map((alias) => said.each(`alias ${said.end}${alias}`, lostName("alias", alias.split("=")[0] ?? ""))),
    ...limits.filter(([letter]) => letter !== "n").map((limit) => limitLine(limit, said)),
    ...optionLines(snapshot, said),
    said.report(REPORT_END),
    ...limits.filter(([letter]) => letter === "n").map((limit) => limitLine(limit, said)),
    ...posixStatements(snapshot),
    ...lastLines(snapshot, options, said),
    ...functions.filter(({ name }) => name === said.word).map(({ text }) => said.run(`eval ${shellWord(text)}`)),
  ]
  // What held a secret comes back where the environment gives it anew.
  const withheld = snapshot.leftOut.filter((name) => !options.environment.includes(name))
  const lost = [
    ...snapshot.unkept,
    ...lostOptions(snapshot, options),
    ...dropped,
    ...withheld.map((name) => lostName("variable", name)),
  ]
  return { bytes: Buffer.from(`${lines.join("\n")}\n`, "latin1"), lost }
}

/** How commands are written in a dialect, and how one that fails is told. */
interface Said {
  /** The word that keeps a function or an alias from standing in for a builtin. */
  readonly word: "builtin" | "command"
  /** Ends the options of `alias`, where there are any. */
  readonly end: "-- " | ""
  run(command: ByteText): ByteText
  report(what: string): ByteText
  each(command: ByteText, what: string): ByteText
}

function saidBy({ dialect }: Snapshot, { report }: RestoreOptions): Said {
  const word = dialect === "bash" ? "builtin" : "command"
  const into = `>>${shellWord(asBytes(report.fifo))}`
  const run = (command: ByteText): ByteText => `\\${word} ${command}`
  const tell = (what: string): ByteText => `${run(`echo ${shellWord(`${report.token} ${asBytes(what)}`)}`)} ${into}`
  return {
    word,
    end: dialect === "bash" ? "-- " : "",
    run,
    report: tell,
    each: (command, what) => `${run(command)} || ${tell(what)}`,
  }
}

function placeLines({ umask, cwd, logicalCwd }: Snapshot, said: Said): readonly ByteText[] {
  const logical = shellWord(logicalCwd ?? "")
  return [
    ...(umask === "" ? [] : [said.run(`umask ${umask}`)]),
    // The process starts in the physical directory; the way that led there is gone where it now leads elsewhere.
    ...(logicalCwd === undefined || cwd === undefined
      ? []
      : [`${said.run(`test ${logical} -ef .`)} && ${said.run(`cd -L ${logical}`)}`]),
  ]
}

/** With the widest syntax: a function may have been defined while `extglob` was on. */
function functionLines({ dialect }: Snapshot, functions: readonly SnapshotFunction[], said: Said): readonly ByteText[] {
  if (dialect === "sh" || functions.length === 0) return []
  return [
    said.run("shopt -s extglob"),
    ...functions.flatMap(({ name, text, attributes }) => [
      said.each(`eval ${shellWord(text)}`, lostName("function", name)),
      ...(attributes === "" ? [] : [said.run(`declare -f${attributes} ${shellWord(name)}`)]),
    ]),
  ]
}

function shoptLines({ shopts }: Snapshot): readonly ByteText[] {
  return [true, false].flatMap((on) => {
    const names = Object.keys(shopts).filter((name) => shopts[name] === on && isRestoredShopt(name))
    return names.length === 0 ? [] : [`\\builtin shopt -${on ? "s" : "u"} ${names.join(" ")}`]
  })
}

const limitLine = ([letter, value]: readonly [string, string], said: Said): ByteText =>
  said.each(`ulimit -S -${letter} ${value}`, lostName("limit", `-${letter}`))

function optionLines({ options }: Snapshot, said: Said): readonly ByteText[] {
  const words = Object.entries(options)
    .filter(([name]) => !UNRESTORED_OPTIONS.has(name))
    .map(([name, on]) => `${on ? "-" : "+"}o ${name}`)
  return words.length === 0 ? [] : [said.run(`set ${words.join(" ")}`)]
}

function lastLines({ options }: Snapshot, { withoutErrexit }: RestoreOptions, said: Said): readonly ByteText[] {
  const on = [options.posix === true ? "posix" : "", options.errexit === true && !withoutErrexit ? "errexit" : ""]
  const words = on.filter((name) => name !== "").map((name) => `-o ${name}`)
  return words.length === 0 ? [] : [said.run(`set ${words.join(" ")}`)]
}

function lostOptions({ options, shopts }: Snapshot, { withoutErrexit }: RestoreOptions): readonly string[] {
  return [
    ...(withoutErrexit && options.errexit === true ? ["errexit"] : []),
    ...LOST_OPTIONS.filter((name) => options[name] === true),
    ...(shopts.extdebug === true ? ["extdebug"] : []),
  ]
}

/** Functions and aliases that come back, and the names of those that may have kept a text from being read. */
function keptWords({ functions, aliases, limits }: Snapshot, { plainWords }: RestoreOptions) {
  if (!plainWords) return { functions, aliases, dropped: [] }
  const isPlainAlias = (alias: ByteText): boolean => !READING_WORDS.has(alias.split("=")[0] ?? "")
  return {
    functions: functions.filter(({ name }) => !READING_WORDS.has(name)),
    aliases: aliases.filter(isPlainAlias),
    dropped: [
      ...functions.filter(({ name }) => READING_WORDS.has(name)).map(({ name }) => lostName("function", name)),
      ...aliases.filter((alias) => !isPlainAlias(alias)).map((alias) => lostName("alias", alias.split("=")[0] ?? "")),
      ...(Object.keys(limits).length === 0 ? [] : ["limits"]),
    ],
  }
}
