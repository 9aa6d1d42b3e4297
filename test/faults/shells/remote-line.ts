import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { createJobHost, type JobHost } from "../../../adapters/runners/local/host/host.ts"
import type { RemoteSettings } from "../../../adapters/runners/local/shells/remote/settings.ts"
import { createIds, type JobId, type ShellUid } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import type { Reach } from "../../../core/shells/runner.ts"
import { shellOf, type TestShell } from "../../contract/shell-fixture.ts"

const SCRIPT = fileURLToPath(new URL("remote-dying-host.ts", import.meta.url))
const ids = createIds()

/** What a host does with one far shell before it is killed. */
export interface FarShellOrder {
  readonly reach: Reach
  /** A shell that the host before had; absent: a new one. */
  readonly uid?: ShellUid
  readonly texts?: readonly string[]
  readonly restMs?: number
  /** Still runs when the host is killed. */
  readonly last?: string
  readonly timeoutMs?: number
}

/** A command that is given to a target and still runs when the host is killed. */
export interface FarJobOrder {
  readonly reach: Reach
  readonly text: string
  readonly background?: "end" | "keep"
  readonly timeoutMs?: number
}

/** What a host that died has left. */
export interface FarOrphans {
  readonly shells: readonly { readonly uid: ShellUid; readonly jobId: JobId }[]
  readonly jobs: readonly JobId[]
}

/** A data directory whose hosts die one after the other, with shells and commands elsewhere. */
export interface RemoteLine extends AsyncDisposable {
  readonly root: string
  /** A host that does this and is killed once `until` holds. */
  die(
    orders: { readonly shells?: readonly FarShellOrder[]; readonly jobs?: readonly FarJobOrder[] },
    until?: () => Promise<boolean>,
  ): Promise<FarOrphans>
  /** The next host, which adopts. */
  next(settings?: RemoteSettings): Promise<JobHost>
  shell(host: JobHost, uid: ShellUid): TestShell
  /** Changes the card that a host which is gone has left of a shell. */
  edit(uid: ShellUid, change: (card: string) => string): Promise<void>
  file(name: string): Promise<string | undefined>
}

/** A fresh one; `path`: where its hosts look for programs. */
export async function openRemoteLine(
  settings: RemoteSettings,
  path: string = process.env["PATH"] ?? "",
): Promise<RemoteLine> {
  const home = await realpath(await mkdtemp("/tmp/hf-line-"))
  const root = join(home, "root")
  await mkdir(root)
  const hosts: JobHost[] = []
  const left: string[] = []

  async function next(changed: RemoteSettings = settings): Promise<JobHost> {
    const host = createJobHost({
      hostId: ids.instance(),
      dataDirectory: join(home, "data"),
      runtimeDirectory: join(home, "run"),
      environment: { server: { PATH: path, HOME: home } },
      mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
      remote: changed,
      now: Date.now,
    })
    hosts.push(host)
    await host.adopt()
    return host
  }

  return {
    root,
    async die({ shells = [], jobs = [] }, until = async () => true) {
      const made = {
        shells: shells.map((one) => ({
          uid: ids.shellUid(),
          job: ids.job(),
          texts: [],
          restMs: 0,
          timeoutMs: 60_000,
          ...one,
        })),
        jobs: jobs.map((one) => ({ job: ids.job(), background: "end", timeoutMs: 60_000, ...one })),
      }
      const order = JSON.stringify({ home, hostId: ids.instance(), path, settings, ...made })
      const child = spawn(process.execPath, [SCRIPT, order], { stdio: ["ignore", "pipe", "inherit"] })
      await once(child.stdout, "data")
      while (!(await until())) await sleep(20)
      child.kill("SIGKILL")
      await once(child, "exit")
      const found = {
        shells: made.shells.map(({ uid, job }) => ({ uid, jobId: job })),
        jobs: made.jobs.map(({ job }) => job),
      }
      left.push(...found.shells.map(({ uid }) => uid), ...found.jobs)
      return found
    },
    next,
    shell: (host, uid) => shellOf({ jobs: host, shells: host.shells, root, close: async () => undefined }, uid),
    async edit(uid, change) {
      for (const found of await readdir(join(home, "run"), { recursive: true })) {
        if (!found.endsWith("/far") || !found.includes(uid)) continue
        const path = join(home, "run", found)
        await writeFile(path, change(await readFile(path, "utf8")))
      }
    },
    file: async (name) => readFile(join(root, name), "utf8").catch(() => undefined),
    async [Symbol.asyncDispose]() {
      if (hosts.length === 0) await next()
      for (const host of hosts) await host.close("end")
      const directories = left.map((name) => `/tmp/.hf-${name}`)
      for (let tries = 0; tries < 50 && directories.some((at) => existsSync(at)); tries += 1) await sleep(100)
      for (const at of [...directories, home]) await rm(at, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
