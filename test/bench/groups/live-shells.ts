import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { startPipedChild } from "../children.ts"
import { openShell, startInlineHost, startSocketHost } from "../hosts.ts"
import { createHttpClient } from "../http-client.ts"
import { ENVELOPE } from "../mcp-requests.ts"
import { inTurns, interleave } from "../measure.ts"
import { makePlace } from "../place.ts"
import { startProduct } from "../product-child.ts"
import { startRawCoprocess } from "../raw-coprocess.ts"
import { atLeast, atMost, limit, type Row, shown } from "../row.ts"
import type { Bench } from "../scope.ts"
import { createStdioClient } from "../stdio-client.ts"

const run = promisify(execFile)

/** Commands in a live shell at the port, in this process and through the Runner host's socket (spec shells.md §18). */
export async function liveShellRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const raw = await startRawCoprocess(bench, place)
  const inline = await openShell(await startInlineHost(bench, place))
  const socket = await openShell(await startSocketHost(bench, place))
  const echo = await inTurns(
    {
      inline: () => inline.run("echo hi"),
      socket: () => socket.run("echo hi"),
      raw: () => raw.run("echo hi"),
    },
    { rounds: bench.count(4000), warmup: bench.count(2000) },
  )
  const { spawned } = await inTurns({ spawned: () => run("bash", ["-c", "echo hi"]) }, { rounds: bench.count(400) })
  const external = await inTurns(
    { inline: () => inline.run("/bin/true"), raw: () => raw.run("/bin/true") },
    { rounds: bench.count(1000) },
  )
  const bareStart = () => run("bash", ["--norc", "--noprofile", "-c", ":"])
  const state = Array.from({ length: 60 }, (_, at) => `V${at}=value-${at}; `).join("")
  await inline.run(state + Array.from({ length: 20 }, (_, at) => `f${at}(){ echo ${at}; }; `).join(""))
  await sleep(200)
  const death = await inTurns({ subject: () => inline.run("exit 3"), floor: bareStart }, { rounds: bench.count(200) })
  return [
    { name: "live shell: echo, host inline", unit: "ms", subject: echo.inline, floor: echo.raw, target: atMost(2) },
    {
      name: "live shell: echo, through the socket",
      unit: "ms",
      subject: echo.socket,
      floor: echo.raw,
      target: atMost(3),
    },
    {
      name: "live shell: echo, against bash -c",
      unit: "ms",
      subject: echo.socket,
      floor: spawned,
      target: atMost(0.1),
    },
    { name: "live shell: /bin/true", unit: "ms", subject: external.inline, floor: external.raw, target: atMost(1.2) },
    { name: "live shell: exit and restore, 60 variables, 20 functions", unit: "ms", ...death, target: atMost(4) },
  ]
}

/** `session_exec` through the doors: a call that does nothing, and what the shell adds (spec shells.md §18). */
export async function shellDoorRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const raw = await startRawCoprocess(bench, place)
  const product = await startProduct(bench, place, { sessions: 1 })
  const client = createHttpClient()
  bench.undo(() => client.close())
  const created = await client.send(product.call("session_create", { transport: "local" }))
  const exec = product.call("session_exec", { session_id: idIn(created), command: "echo hi" })
  const noop = product.call("bench_echo", { text: "echo hi" })
  const http = await interleave(
    { subject: () => client.send(exec), noop: () => client.send(noop), raw: () => raw.run("echo hi") },
    { rounds: bench.count(1000) },
  )
  const stdio = createStdioClient(startPipedChild(bench, "product-stdio.ts", [place.dataDir("stdio"), "full"]))
  const call = (name: string, input: object) => stdio.call("tools/call", { name, arguments: input, _meta: ENVELOPE })
  const session = idIn(await call("session_create", { transport: "local" }))
  const piped = await interleave(
    {
      subject: () => call("session_exec", { session_id: session, command: "echo hi" }),
      noop: () => call("bench_echo", { text: "echo hi" }),
      raw: () => raw.run("echo hi"),
    },
    { rounds: bench.count(1000) },
  )
  return [
    {
      name: "session_exec echo over HTTP (no-op + 5 raw)",
      unit: "ms",
      subject: http.subject,
      floor: http.noop + 5 * http.raw,
      target: atMost(1),
    },
    {
      name: "session_exec echo over MCP stdio (no-op + 5 raw)",
      unit: "ms",
      subject: piped.subject,
      floor: piped.noop + 5 * piped.raw,
      target: atMost(1),
    },
  ]
}

/** Two hundred shells opened at once: time, memory, what they cost at rest, and one of them (spec shells.md §18). */
export async function manyShellsRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const host = await startSocketHost(bench, place)
  const first = await openShell(host)
  const count = bench.quick ? 40 : 200
  const startedAt = performance.now()
  const shells = await Promise.all(Array.from({ length: count }, () => openShell(host)))
  const opened = performance.now() - startedAt
  await sleep(1_000)
  const pid = await host.pid()
  const memory = pssBelow(pid) / (count + 1)
  const switches = switchesOf(pid)
  await sleep(3_000)
  const wakeups = (switchesOf(pid) - switches) / 3
  const rounds = { rounds: bench.count(500) }
  const { trip } = await interleave({ trip: () => first.run("echo hi") }, rounds)
  const loud = shells[0]
  const flood = await loud?.begin("yes")
  const { busy } = await interleave({ busy: () => first.run("echo hi") }, rounds)
  if (flood !== undefined) await host.jobs.stop(flood, { cause: "stop_job", graceMs: 0 })
  return [
    { name: `${count} shells opened at once`, unit: "ms", subject: opened, target: limit((1_500 * count) / 200) },
    { name: "memory of one shell (PSS)", unit: "bytes", subject: memory, target: limit(524_288) },
    { name: "wake-ups of the host a second, all shells at rest", unit: "calls/s", subject: wakeups, target: limit(1) },
    { name: "echo beside them", unit: "ms", subject: trip, target: shown },
    { name: "echo while another shell floods", unit: "ms", subject: busy, floor: trip, target: atMost(4) },
  ]
}

/** 200 MB of output: rate, and what it costs the process that carries the host (spec shells.md §18). */
export async function floodRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const host = await startSocketHost(bench, place)
  const shell = await openShell(host)
  const bytes = bench.quick ? 50_000_000 : 200_000_000
  const target = await place.file("copy", "")
  const source = `head -c ${bytes} /dev/zero | tr '\\0' x`
  const rounds = { rounds: 3, warmup: 1 }
  const took = await interleave(
    { subject: () => shell.run(source), floor: () => run("bash", ["-c", `${source} | cat > ${target}`]) },
    rounds,
  )
  const memory = rssOf(await host.pid())
  const rate = (ms: number): number => bytes / ms / 1_000
  return [
    {
      name: `${bytes / 1e6} MB of output, MB/s`,
      unit: "calls/s",
      subject: rate(took.subject),
      floor: rate(took.floor),
      target: atLeast(0.2),
    },
    { name: "memory of the host after it", unit: "bytes", subject: memory, target: limit(192 * 1_048_576) },
  ]
}

function idIn(answer: string): string {
  const id = /session_id\\?":\\?"([^"\\]+)/.exec(answer)?.[1]
  if (id === undefined) throw new Error(`No shell was opened: ${answer.slice(0, 300)}`)
  return id
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

/** Proportional memory of all processes below one, bytes; Linux only. */
function pssBelow(pid: number): number {
  let sum = 0
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const parent = textOf(`/proc/${name}/stat`)
      .replace(/^.*\) /s, "")
      .split(" ")[1]
    if (Number(parent) !== pid) continue
    sum += Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${name}/smaps_rollup`))?.[1] ?? 0) * 1024
  }
  return sum
}

function switchesOf(pid: number): number {
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
}

function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}
