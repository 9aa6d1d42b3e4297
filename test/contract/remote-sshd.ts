import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { connect, createServer, type Server, type Socket } from "node:net"
import { userInfo } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

/** A real sshd of this very user on a free loopback port, with keys of its own, behind a wire that can be cut. */
export interface TestSshd {
  readonly directory: string
  /** Where clients connect: the wire. */
  readonly port: number
  readonly user: string
  /** A private key the server accepts; it stands alone in `keyDirectory`. */
  readonly keyPath: string
  readonly keyDirectory: string
  /** `SHA256:…` of the host key. */
  fingerprint(): string
  /** Every connection breaks, and new ones are refused until `mend`. */
  cut(): void
  mend(): void
  /** A new host key from now on. */
  changeHostKey(): Promise<void>
  close(): Promise<void>
}

/** Starts it; `close` ends it with every connection. `login`: the one way in that it offers, by default keys. */
export async function startSshd({ login = "key" }: { readonly login?: Login } = {}): Promise<TestSshd> {
  const directory = await mkdtemp("/tmp/hf-sshd-")
  const keyDirectory = join(directory, "keys")
  await mkdir(keyDirectory, { mode: 0o700 })
  const keyPath = join(keyDirectory, "id")
  makeKey(keyPath)
  makeKey(join(directory, "host"))
  await copyFile(`${keyPath}.pub`, join(directory, "authorized"))
  await chmod(join(directory, "authorized"), 0o600)
  const inner = await freePort()
  let daemon = await startDaemon(directory, inner, login)
  const wire = await openWire(inner)
  return {
    directory,
    port: wire.port,
    user: userInfo().username,
    keyPath,
    keyDirectory,
    fingerprint() {
      const line = execFileSync("ssh-keygen", ["-l", "-f", join(directory, "host.pub")], { encoding: "utf8" })
      return line.split(" ")[1] ?? ""
    },
    cut: wire.cut,
    mend: wire.mend,
    async changeHostKey() {
      await stop(daemon)
      await rm(join(directory, "host"))
      await rm(join(directory, "host.pub"))
      makeKey(join(directory, "host"))
      daemon = await startDaemon(directory, inner, login)
    },
    async close() {
      wire.close()
      await stop(daemon)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

type Login = "key" | "password"

function makeKey(path: string): void {
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path])
}

const sshd = (): string => ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path)) ?? "sshd"

async function startDaemon(directory: string, port: number, login: Login): Promise<ChildProcess> {
  const config = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${join(directory, "host")}`,
    `AuthorizedKeysFile ${join(directory, "authorized")}`,
    `PidFile ${join(directory, "pid")}`,
    "UsePAM no",
    "StrictModes no",
    "PermitRootLogin yes",
    `PubkeyAuthentication ${login === "key" ? "yes" : "no"}`,
    `PasswordAuthentication ${login === "password" ? "yes" : "no"}`,
    "KbdInteractiveAuthentication no",
    "PrintMotd no",
    "LogLevel ERROR",
  ]
  await writeFile(join(directory, "sshd_config"), `${config.join("\n")}\n`)
  // A daemon of root wants its separation directory, which a machine that never ran one has not.
  if (userInfo().uid === 0) await mkdir("/run/sshd", { recursive: true, mode: 0o755 })
  const daemon = spawn(sshd(), ["-D", "-e", "-f", join(directory, "sshd_config")], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  let said = ""
  daemon.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString()
  })
  for (let tries = 0; tries < 200; tries += 1) {
    if (daemon.exitCode !== null) throw new Error(`sshd did not start: ${said}`)
    if (await answers(port)) return daemon
    await sleep(25)
  }
  throw new Error(`sshd does not listen: ${said}`)
}

async function stop(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null) return
  const gone = once(daemon, "exit")
  daemon.kill("SIGTERM")
  await gone
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(false))
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, "close")
  return port
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

/** Bytes pass both ways until it is cut. */
async function openWire(inner: number): Promise<{ readonly port: number; cut(): void; mend(): void; close(): void }> {
  const sockets = new Set<Socket>()
  let whole = true
  const server = createServer((outside) => {
    if (!whole) {
      outside.destroy()
      return
    }
    const inside = connect(inner, "127.0.0.1")
    for (const socket of [outside, inside]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        sockets.delete(socket)
        inside.destroy()
        outside.destroy()
      })
    }
    outside.pipe(inside).pipe(outside)
  })
  const port = await listen(server)
  const cut = (): void => {
    whole = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    cut,
    mend() {
      whole = true
    },
    close() {
      cut()
      server.close()
    },
  }
}

/** A host key's line as a known_hosts file has it. */
export const knownLine = async (sshd: TestSshd): Promise<string> =>
  `[127.0.0.1]:${sshd.port} ${(await readFile(join(sshd.directory, "host.pub"), "utf8")).split(" ").slice(0, 2).join(" ")}\n`
