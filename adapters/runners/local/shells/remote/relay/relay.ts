import { shellWord } from "../../quote.ts"
import { type FarProcess, parseTable } from "./far-process.ts"
import type { Tether } from "./tether.ts"

/** What the target says about one command (spec shells.md §9.1). */
export interface FarState {
  /** The shell's report; absent: none yet. */
  readonly status?: number
  /** The shell has opened the text: proof of start. */
  readonly started: boolean
  /** Nobody can write into these any more, and all that was written is in the files. */
  readonly outEnded: boolean
  readonly errEnded: boolean
  /** Status that the parent of the shell saw, 128 + n for a signal; absent: it saw no end. */
  readonly dead?: number
  /** The shell's pid exists. */
  readonly alive: boolean
  /** Its own children, zombies too; none where the target does not tell. */
  readonly children: readonly number[]
}

/** One command as the target gets it. */
export interface FarCommand {
  readonly token: string
  readonly text: string
  readonly stdin?: string
  readonly merged: boolean
  readonly frame: string
}

/** Which of the two streams. */
export type FarStream = "od" | "ed"

/** What came of a stream before the first byte of its file. */
export interface FarCut {
  /** Bytes that were written. */
  readonly written: number
  /** Bytes and ends of lines that were stored of them. */
  readonly stored: number
  readonly newlines: number
}

/** One generation of a shell on the target; every operation waits for the link, and repeats safely after one was lost. */
export interface Relay {
  /** Absolute, on the target. */
  readonly directory: string
  /** Makes it. */
  make(): Promise<void>
  begin(command: FarCommand): Promise<void>
  /** Puts text of ours before the shell, outside of any command. */
  send(text: string | Uint8Array): Promise<void>
  /** A file of ours beside the FIFOs, 0600. */
  write(name: string, content: string | Uint8Array): Promise<void>
  /** The one line of such a file; `""` where there is none. */
  readWord(name: string): Promise<string>
  children(pid: number): Promise<readonly number[]>
  /** `startTime`: a process with this pid that started at another time is not the shell. */
  state(token: string, pid: number, startTime?: string): Promise<FarState>
  /** Bytes of a command's stream from an offset, ≤ 1 MiB; resolves with their number. */
  read(file: string, from: number, take: (chunk: Uint8Array) => void): Promise<number>
  /** Lets the writers of a stream wait until its file is shortened; `false`: they do not. */
  brake(file: string): Promise<boolean>
  /** Begins a stream's file anew, once for each number, and lets its writers go on; `false`: the file stays as it is. */
  shorten(file: string, number: number, cut: FarCut): Promise<boolean>
  /** Somebody reads on after whoever read a command's streams is gone; where their files begin, if not at the first byte. */
  resume(token: string): Promise<Readonly<Record<FarStream, (FarCut & { readonly number: number }) | undefined>>>
  /** Those of these processes that hold a pipe of a command. */
  holders(token: string, pids: readonly number[]): Promise<readonly number[]>
  /** Writes a word behind everything that is in a pipe. */
  mark(pipe: string, word: string): Promise<void>
  forget(token: string): Promise<void>
  /** Its shell is gone for good: what listened to it ends. */
  quit(): Promise<void>
  /**
   * Of a directory that has no name any more the last one, where that is known; `undefined`: the process is gone; `untold`: the
   * target shows no process's directory.
   */
  cwd(pid: number): Promise<{ readonly path?: string; readonly deleted: boolean } | "untold" | undefined>
  table(): Promise<readonly FarProcess[]>
  /** One process of it; `undefined` where it is gone, or the target does not tell. */
  row(pid: number): Promise<FarProcess | undefined>
  /** Its command line, arguments joined by blanks; its name where that cannot be read. */
  commandOf(process: FarProcess): Promise<string>
  /** Pids of processes that carry a word in their environment. */
  marked(word: string): Promise<readonly number[]>
  /** In this order; a process whose start time differs gets nothing. */
  kill(signal: string, targets: readonly FarProcess[]): Promise<void>
  /** State letter of a process, and the line of the system call it waits in, where that may be read. */
  look(pid: number): Promise<{ readonly state: string; readonly call: string }>
}

const DELETED = " (deleted)"

/** Speaks with the relay about the generation in `directory`. */
export function createRelay(tether: Tether, directory: string): Relay {
  const ask = async (text: string): Promise<string> => (await bytesOf(text)).toString("utf8")
  async function bytesOf(text: string): Promise<Buffer> {
    return (await tether.request(`G=${shellWord(directory)}\n${text}`)).bytes
  }
  /** A command with a last word of any bytes. */
  async function give(command: string, word: string | Uint8Array): Promise<void> {
    const bytes = shellWord(Buffer.from(word).toString("latin1"))
    await tether.request(
      Buffer.concat([Buffer.from(`G=${shellWord(directory)}\n${command}`), Buffer.from(bytes, "latin1")]),
    )
  }
  return {
    directory,
    async make() {
      await ask("hf_generation")
    },
    async begin({ token, text, stdin, merged, frame }) {
      const words = [token, merged ? "merged" : "split", frame, text, ...(stdin === undefined ? [] : [stdin])]
      await ask(`hf_begin ${words.map(shellWord).join(" ")}`)
    },
    async send(text) {
      await give("hf_send ", text)
    },
    async write(name, content) {
      await give(`>"$G/"${shellWord(name)} printf '%s' `, content)
    },
    readWord: async (name) => (await ask(`cat "$G/"${shellWord(name)} 2>/dev/null`)).trim(),
    children: async (pid) => (await ask(`hf_children ${pid}`)).split(" ").filter(Boolean).map(Number),
    state: async (token, pid, startTime = "") => parseState(await ask(`hf_state ${token} ${pid} ${startTime}`)),
    read: (file, from, take) => tether.read(`${directory}/${file}`, from, take),
    brake: async (file) => (await ask(`hf_hold "$G/"${shellWord(file)}`)) === "1",
    async shorten(file, number, { written, stored, newlines }) {
      return (await ask(`hf_shorten "$G/"${shellWord(file)} ${number} ${written} ${stored} ${newlines}`)) === "1"
    },
    async resume(token) {
      const [od = "", ed = ""] = (await ask(`hf_resume ${token}`)).split("\n")
      return { od: parseCut(od), ed: parseCut(ed) }
    },
    async holders(token, pids) {
      return (await ask(`hf_holders ${token} ${pids.join(" ")}`)).split(" ").filter(Boolean).map(Number)
    },
    async mark(pipe, word) {
      await ask(`hf_mark ${shellWord(pipe)} ${shellWord(word)}`)
    },
    async forget(token) {
      await ask(`hf_forget ${token}`)
    },
    async quit() {
      await ask("hf_quit")
    },
    async cwd(pid) {
      const path = (await ask(`hf_cwd ${pid}`)).slice(0, -1)
      if (path === "?") return "untold"
      if (path.endsWith(DELETED)) return { path: path.slice(0, -DELETED.length), deleted: true }
      if (path.startsWith("/")) return { path, deleted: false }
      return path === "" ? undefined : { deleted: true }
    },
    table: async () => parseTable(await ask("hf_table")),
    row: async (pid) => parseTable(await ask(`hf_row ${pid}`))[0],
    async commandOf({ pid, name }) {
      const line = (await ask(`cat /proc/${pid}/cmdline 2>/dev/null`)).replaceAll("\0", " ").trim()
      return line === "" ? name : line
    },
    async marked(word) {
      const paths = await ask(`hf_marked ${shellWord(word)}`)
      return [...paths.matchAll(/\/proc\/(\d+)\//g)].map(([, pid]) => Number(pid))
    },
    async kill(signal, targets) {
      if (targets.length === 0) return
      await ask(`hf_kill ${signal} ${targets.map(({ pid, startTime }) => `${pid} ${startTime}`).join(" ")}`)
    },
    async look(pid) {
      const [state = "", call = ""] = (await ask(`hf_look ${pid}`)).split("|")
      return { state, call }
    },
  }
}

function parseCut(line: string): (FarCut & { readonly number: number }) | undefined {
  const [number, written, stored, newlines] = line.split(" ").map(Number)
  if (number === undefined || written === undefined || stored === undefined || newlines === undefined) return undefined
  return { number, written, stored, newlines }
}

function parseState(line: string): FarState {
  const [status = "-", started, out, err, dead = "-", alive, ...children] = line.trim().split(" ")
  return {
    ...(status === "-" ? {} : { status: Number(status) }),
    started: started === "1",
    outEnded: out === "1",
    errEnded: err === "1",
    ...(dead === "-" ? {} : { dead: Number(dead) }),
    alive: alive === "1",
    children: children.map(Number),
  }
}
