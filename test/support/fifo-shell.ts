import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { chainLine, idleLine } from "../../adapters/runners/local/shells/snapshot/idle-line.ts"
import { initText } from "../../adapters/runners/local/shells/snapshot/init-text.ts"
import { recordScript } from "../../adapters/runners/local/shells/snapshot/record-script.ts"
import { createRestoreReport } from "../../adapters/runners/local/shells/snapshot/restore-report.ts"
import { restoreText } from "../../adapters/runners/local/shells/snapshot/restore-text.ts"
import { createSnapshotReader } from "../../adapters/runners/local/shells/snapshot/snapshot-reader.ts"
import type { Snapshot, SnapshotPlace, Written } from "../../adapters/runners/local/shells/snapshot/types.ts"
import type { Dialect } from "../../core/shells/record.ts"

/** What one text did; `status` is undefined when the shell's process was gone or silent at the end of the wait. */
export interface FifoRun {
  readonly status: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** A shell driven by three lines a command over FIFOs, as an engine would, and nothing else of an engine. */
export interface FifoShell {
  readonly pid: number
  readonly place: SnapshotPlace
  readonly directory: string
  readonly process: ChildProcess
  /** Sends a frame; resolves with the token of its status file. */
  send(text: string | Uint8Array): string
  /** The status of a frame, once it is there. */
  statusOf(token: string): number | undefined
  run(text: string | Uint8Array, waitMs?: number): Promise<FifoRun>
  /** Sends an idle record and chains the EXIT action; undefined when no record came. */
  idle(waitMs?: number): Promise<Extract<Written, { kind: "idle" }> | undefined>
  /** Records that came and were not asked for, after the process is gone. */
  exitWrite(waitMs?: number): Promise<Extract<Written, { kind: "exit" }> | undefined>
  /** Resolves when the process is gone. */
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** What came out of the shell's own stderr so far. */
  diagnostics(): string
  /** Restores a snapshot; resolves with what the shell named as failed. */
  restore(snapshot: Snapshot, options?: { withoutErrexit?: boolean; plainWords?: boolean }): Promise<readonly string[]>
  close(): Promise<void>
}

/** How a shell is started. */
export interface FifoShellOptions {
  readonly dialect?: Dialect
  /** Default: bash, and the system's sh. */
  readonly program?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly cwd?: string
}

const hex = (): string => randomBytes(16).toString("hex")
const BASH = ["bash", "--norc", "--noprofile", "--noediting", "-i"]

/** Starts one; the caller closes it. */
export async function openFifoShell(options: FifoShellOptions = {}): Promise<FifoShell> {
  const dialect = options.dialect ?? "bash"
  const directory = mkdtempSync(join(tmpdir(), "hf-fifo-"))
  const at = (name: string): string => join(directory, name)
  const fifos = ["in", "snap", "diag", "o", "e"].map(at)
  execFileSync("mkfifo", ["-m", "600", ...fifos])
  mkdirSync(at("s"))
  const [input = 0, snap = 0, diag = 0, out = 0, err = 0] = fifos.map((path) =>
    openSync(path, constants.O_RDWR | constants.O_NONBLOCK),
  )
  const place: SnapshotPlace = { dialect, fifo: at("snap"), script: at("r"), exitToken: hex() }
  const reader = createSnapshotReader({ place, secrets: () => options.secrets ?? [] })
  const written: Written[] = []
  let reported: Uint8Array[] = []
  let diagnosed = ""
  writeFileSync(place.script, recordScript(place), { mode: 0o600 })

  const blocking = openSync(at("in"), constants.O_RDWR)
  const diagnostics = openSync(at("diag"), constants.O_RDWR)
  const nothing = openSync("/dev/null", "r+")
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: directory,
    LANG: "C.UTF-8",
    PAGER: "cat",
    ...options.env,
  }
  const [program = "sh", ...args] = options.program ?? (dialect === "bash" ? BASH : ["sh"])
  const child = spawn(program, args, {
    cwd: options.cwd ?? directory,
    env,
    detached: true,
    stdio: [blocking, nothing, diagnostics],
  })
  const exit = once(child, "exit").then(([code, signal]) => ({ code, signal }))
  for (const fd of [blocking, diagnostics, nothing]) closeSync(fd)
  const pid = child.pid ?? 0
  let gone = false
  void exit.then(() => {
    gone = true
  })
  writeSync(input, initText(place))

  function pump(): void {
    const bytes = drain(snap)
    reported.push(bytes)
    written.push(...reader.push(bytes))
    diagnosed += drain(diag).toString()
  }
  function statusOf(token: string): number | undefined {
    const name = readdirSync(at("s")).find((one) => one.startsWith(`${token}.`))
    return name === undefined ? undefined : Number(name.slice(token.length + 1))
  }
  async function waitFor<T>(look: () => T | undefined, waitMs: number): Promise<T | undefined> {
    const end = performance.now() + waitMs
    for (;;) {
      const wasGone = gone
      pump()
      const found = look()
      if (found !== undefined || wasGone || performance.now() > end) return found
      await sleep(1)
    }
  }
  function take<K extends Written["kind"]>(kind: K): Extract<Written, { kind: K }> | undefined {
    const index = written.findIndex((one) => one.kind === kind)
    const [one] = index === -1 ? [] : written.splice(index, 1)
    return one as Extract<Written, { kind: K }> | undefined
  }

  const shell: FifoShell = {
    pid,
    place,
    directory,
    process: child,
    exit,
    statusOf,
    send(text) {
      const token = hex()
      const file = at(`c-${token}`)
      writeFileSync(file, text)
      const source = dialect === "bash" ? "." : "command ."
      writeSync(
        input,
        `\n${source} '${file}' </dev/null 1<>'${at("o")}' 2<>'${at("e")}'\n>|'${at("s")}/${token}.'"$?"\n`,
      )
      return token
    },
    async run(text, waitMs = 5000) {
      const token = shell.send(text)
      const status = await waitFor(() => statusOf(token), waitMs)
      return { status, stdout: drain(out).toString(), stderr: drain(err).toString() }
    },
    async idle(waitMs = 5000) {
      const token = hex()
      reader.expect(token)
      writeSync(input, idleLine(place, token))
      const record = await waitFor(() => take("idle"), waitMs)
      const line = record === undefined ? undefined : chainLine(place, record.notes)
      if (line !== undefined) writeSync(input, line)
      return record
    },
    exitWrite: (waitMs = 5000) => waitFor(() => take("exit"), waitMs),
    diagnostics() {
      pump()
      return diagnosed
    },
    async restore(snapshot, { withoutErrexit = false, plainWords = false } = {}) {
      const report = { fifo: place.fifo, token: hex() }
      const text = restoreText(snapshot, { environment: Object.keys(env), withoutErrexit, plainWords, report })
      const reports = createRestoreReport(report)
      reported = []
      const done = await shell.run(text.bytes)
      if (done.status === undefined) throw new Error(`the restore did not end: ${done.stderr}`)
      pump()
      const failed = reports.push(Buffer.concat(reported))
      if (failed === undefined) throw new Error(`no report came: ${done.stderr}`)
      return failed
    },
    async close() {
      if (!gone) child.kill("SIGKILL")
      await exit
      endGroup(pid)
      for (const fd of [input, snap, diag, out, err]) closeSync(fd)
      if (existsSync(directory)) rmSync(directory, { recursive: true, force: true })
    },
  }
  return shell
}

/** What the shell left behind in its group. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL")
  } catch {
    // Nobody is left in it.
  }
}

function drain(fd: number): Buffer {
  const chunks: Buffer[] = []
  for (;;) {
    const buffer = Buffer.alloc(65_536)
    try {
      const size = readSync(fd, buffer)
      if (size === 0) return Buffer.concat(chunks)
      chunks.push(buffer.subarray(0, size))
    } catch {
      return Buffer.concat(chunks)
    }
  }
}
