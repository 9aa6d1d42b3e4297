import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { createJobHost, type JobHost } from "../../../adapters/runners/local/host/host.ts"
import { createIds, type JobId, type ShellUid } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { shellOf, type TestShell } from "../../contract/shell-fixture.ts"

const SCRIPT = fileURLToPath(new URL("dying-host.ts", import.meta.url))
const ids = createIds()

/** What a host does with one shell before it is killed. */
export interface ShellOrder {
  /** A shell that the host before had; absent: a new one. */
  readonly uid?: ShellUid
  readonly dialect?: "bash" | "sh"
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly secrets?: readonly { readonly name: string; readonly value: string }[]
  readonly texts?: readonly string[]
  readonly rests?: boolean
  readonly onExit?: "restore" | "close"
  /** Runs beside `last`, which it detaches. */
  readonly beside?: string
  /** Still runs when the host is killed. */
  readonly last?: string
  readonly timeoutMs?: number
}

/** A shell of a host that died. */
export interface OrphanShell {
  readonly uid: ShellUid
  /** Of `last`. */
  readonly jobId: JobId
  readonly hostId: string
}

/** A data directory whose hosts die one after the other. */
export class HostLine implements AsyncDisposable {
  readonly home: string
  readonly root: string
  readonly hosts: JobHost[] = []

  constructor(home: string) {
    this.home = home
    this.root = join(home, "root")
  }

  /** A host that does this and is killed once it has said the word and `until` holds. */
  async die(
    orders: readonly ShellOrder[],
    until: () => Promise<boolean> = async () => true,
    word: "sending" | "ready" = "ready",
  ): Promise<readonly OrphanShell[]> {
    const hostId = ids.instance()
    const shells = orders.map((order) => ({
      uid: ids.shellUid(),
      dialect: "bash",
      onExit: "restore",
      env: [],
      secrets: [],
      texts: [],
      rests: true,
      job: ids.job(),
      timeoutMs: 60_000,
      ...order,
    }))
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify({ home: this.home, hostId, shells })], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    await said(child, word)
    while (!(await until())) await sleep(20)
    child.kill("SIGKILL")
    await once(child, "exit")
    return shells.map(({ uid, job }) => ({ uid, jobId: job, hostId }))
  }

  /** The next host, which adopts. */
  async next(): Promise<JobHost> {
    const host = createJobHost({
      hostId: ids.instance(),
      dataDirectory: join(this.home, "data"),
      runtimeDirectory: join(this.home, "run"),
      environment: { server: { PATH: process.env.PATH, HOME: this.home } },
      mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
      now: Date.now,
    })
    this.hosts.push(host)
    await host.adopt()
    return host
  }

  shell(host: JobHost, uid: ShellUid): TestShell {
    return shellOf({ jobs: host, shells: host.shells, root: this.root, close: async () => undefined }, uid)
  }

  file = async (name: string): Promise<string | undefined> =>
    readFile(join(this.root, name), "utf8").catch(() => undefined)

  async [Symbol.asyncDispose](): Promise<void> {
    // What a host that was killed left and no test took over ends with the last host.
    if (this.hosts.length === 0) await this.next()
    for (const host of this.hosts) await host.close("end")
    await rm(this.home, { recursive: true, force: true })
  }
}

/** Resolves when the host has printed the word. */
async function said(child: ChildProcess, word: string): Promise<void> {
  let text = ""
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk: Uint8Array) => {
      text += String(chunk)
      if (text.includes(word)) resolve()
    })
    child.once("exit", () => reject(new Error("the host died by itself")))
  })
}

/** A fresh one. */
export async function openLine(): Promise<HostLine> {
  const line = new HostLine(await realpath(await mkdtemp(join(tmpdir(), "hf-shells-"))))
  await mkdir(line.root)
  return line
}
