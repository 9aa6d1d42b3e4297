import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { Gateway } from "../../adapters/runners/local/shells/remote/gateway.ts"
import { RELAY_SCRIPT } from "../../adapters/runners/local/shells/remote/relay/relay-script.ts"
import { createRemoteSeats, type RemoteSeatsPorts } from "../../adapters/runners/local/shells/remote/remote-seats.ts"
import { createTokens } from "../../adapters/runners/local/shells/tokens.ts"
import type { Seat } from "../../adapters/runners/local/shells/transport.ts"
import { ToolError } from "../../core/kernel/error.ts"
import type { ShellSpec } from "../../core/shells/runner.ts"
import { ids, isAlive, sleepMs } from "./shell-fixture.ts"

const directories: string[] = []

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

const which = (name: string): string => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim()

/** A directory that holds these programs and no other. */
function only(programs: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync("/tmp/hf-only-")
  directories.push(directory)
  for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(directory, name))
  return directory
}

const NEEDED = ["mkfifo", "cat", "rm", "mkdir"] as const
const needed = (sh: string) => ({ sh, ...Object.fromEntries(NEEDED.map((name) => [name, which(name)])) })

/** A target on this machine that has nothing but a search path. */
function gatewayOf(path: string): Gateway {
  const command = async () => ({ program: join(path, "sh"), args: [], env: { PATH: path, HOME: "/" } })
  return {
    link: command,
    side: command,
    isHealthy: async () => true,
    dropped: () => undefined,
    renew: () => undefined,
    explain: ({ stderr }) => new ToolError("runner_unavailable", stderr),
    close: () => undefined,
  }
}

const spec = (): ShellSpec => ({
  shellUid: ids.shellUid(),
  reach: { kind: "docker", container: "x" },
  dialect: "bash",
  cwd: "/",
  env: [],
  onExit: "restore",
  idleTtlMs: 0,
  backgroundTtlMs: 0,
  secrets: [],
})

async function run(seat: Seat, text: string): Promise<{ readonly status?: number | undefined; readonly out: string }> {
  const out: Buffer[] = []
  const sink = { accept: (_: string, chunk: Uint8Array) => void out.push(Buffer.from(chunk)), quiet: () => undefined }
  const { status } = await seat.run({ text, streams: "split", tty: false, env: [], sink }).end
  return { status, out: Buffer.concat(out).toString() }
}

async function vanished(directory: string): Promise<void> {
  for (let tries = 0; tries < 100 && existsSync(directory); tries += 1) await sleepMs(100)
  expect(existsSync(directory)).toBe(false)
}

/** This machine, on which nothing tells about processes. */
function blindGateway(): Gateway {
  const command = async () => ({
    program: "sh",
    args: ["-c", "sed -u 's#/proc#/no-proc#g' | exec sh"],
    env: { PATH: process.env["PATH"] ?? "", HOME: "/" },
  })
  return { ...gatewayOf(""), link: command, side: command }
}

function openSeats(sh: string): ReturnType<typeof createRemoteSeats> {
  return createRemoteSeats(spec(), portsOf(sh))
}

const NOBODY = { accept: () => undefined, quiet: () => undefined }

function portsOf(sh: string): RemoteSeatsPorts {
  return {
    gateway: gatewayOf(only(needed(sh))),
    tokens: createTokens(),
    mask: (text) => text,
    secrets: () => [],
    now: Date.now,
    privateDirectory: only({}),
    journal: { append: () => undefined },
    boot: "1",
  }
}

const shells: (readonly [string, string])[] = [
  ["dash", which("sh")],
  ["bash as sh", which("bash")],
]
if (existsSync("/bin/busybox") && !readlinkSync(which("sh")).includes("busybox"))
  shells.push(["busybox", "/bin/busybox"])

it.each(shells)("the relay needs nothing but sh, mkfifo, cat, rm and mkdir (%s)", async (_name, sh) => {
  const seats = openSeats(sh)
  const seat = await seats.open()
  const directory = seats.tether?.directory ?? ""
  expect(seat.dialect).toBe("sh")
  expect(await run(seat, "cd /usr; X=1; echo $X; pwd")).toEqual({ status: 0, out: "1\n/usr\n" })
  const many = "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i + 1)); done; (exit 5)"
  const ran = await run(seat, many)
  expect(ran.status).toBe(5)
  expect(ran.out).toBe(Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join(""))
  expect(await seat.close("kill")).toMatchObject({ survivors: [] })
  await vanished(directory)
})

it.each(shells)(
  "what a shell says for itself is bounded on its target, and heard again by the next command (%s)",
  async (_name, sh) => {
    const seats = openSeats(sh)
    const seat = await seats.open()
    const directory = seats.tether?.directory ?? ""
    // A child of its own, so that nothing of it is the command's.
    const noise = "i=0; while [ $i -lt 3000 ]; do printf %05000d 0; i=$((i + 1)); done"
    expect(await run(seat, `( ${noise} ) 1<>${directory}/g0/out`)).toEqual({ status: 0, out: "" })
    const said = statSync(`${directory}/g0/out.d`).size
    expect(said).toBeGreaterThan(1_000_000)
    expect(said).toBeLessThanOrEqual(8_388_608)
    expect(await run(seat, "echo on")).toEqual({ status: 0, out: "on\n" })
    expect(statSync(`${directory}/g0/out.d`).size).toBeLessThan(1000)
    const last = seat.run({
      text: "trap 'echo bye' EXIT; exit 3",
      streams: "split",
      tty: false,
      env: [],
      sink: { accept: (_, chunk) => void heard.push(Buffer.from(chunk)), quiet: () => undefined },
    })
    const heard: Buffer[] = []
    expect(await last.end).toMatchObject({ kind: "died", death: { exitCode: 3 } })
    expect(Buffer.concat(heard).toString()).toBe("bye\n")
    await seat.close("kill")
    await vanished(directory)
  },
)

it("where nothing tells about processes, the shell itself says where it is", async () => {
  const seats = createRemoteSeats(spec(), { ...portsOf("sh"), gateway: blindGateway() })
  const seat = await seats.open()
  const directory = seats.tether?.directory ?? ""
  expect(seat.dialect).toBe("bash")
  expect(await run(seat, "cd /usr; PWD=/spoof; X=1; (exit 4)")).toEqual({ status: 4, out: "" })
  expect(await seat.cwd()).toEqual({ path: "/usr", deleted: false })
  expect(await run(seat, "echo $X; cd /")).toEqual({ status: 0, out: "1\n" })
  expect(await seat.cwd()).toEqual({ path: "/", deleted: false })
  const { end } = seat.run({ text: "exit 3", streams: "split", tty: false, env: [], sink: NOBODY })
  expect(await end).toMatchObject({ kind: "died", death: { exitCode: 3 } })
  await seat.close("kill")
  await vanished(directory)
})

it("a shell whose target hears nothing for its time ends itself there, and its directory goes", async () => {
  const home = mkdtempSync("/tmp/hf-silent-")
  directories.push(home)
  const marker = `HOLDFAST_SHELL=${ids.shellUid()}`
  const shell = spawn("env", [marker, "sleep", "300"], { stdio: "ignore" })
  const other = spawn("sleep", ["300"], { stdio: "ignore" })
  const far = spawn("sh", [], { stdio: ["pipe", "ignore", "ignore"] })
  // The relay's clock, made faster.
  const clock = `sleep() { ${which("sleep")} 0.05; }`
  far.stdin.end(`${RELAY_SCRIPT}\n${clock}\nD=${home}/d\nmkdir "$D"\nhf_contact\nhf_watchdog 10 20 ${marker}\n`)
  const gone = once(shell, "exit")
  await once(far, "exit")
  expect(existsSync(`${home}/d`)).toBe(true)
  expect(await isAlive(shell.pid ?? 0)).toBe(true)
  await gone
  expect(await isAlive(other.pid ?? 0)).toBe(true)
  other.kill()
  await vanished(`${home}/d`)
})
