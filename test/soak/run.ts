// `npm run soak -- <minutes> [--count <executions>]`: short executions, 8 at a time, in live shells and as one-shots through a real
// server. Each writes a token of its own into both streams and ends with a code of its own. Reports what was lost, mixed or
// invented, and zombies, descriptors and memory of the server and its Runner host.
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { createClient, HoldfastError } from "../../dist/sdk/index.js"
import { startProcess } from "../support/server-process.ts"
import { drawExecution, type Execution } from "./executions.ts"
import { heldBy, hostOf, zombiesOf } from "./processes.ts"

const LANES = 8
const SAMPLE_MS = 10_000
const REOPEN_EVERY = 200

const { values, positionals } = parseArgs({ options: { count: { type: "string" } }, allowPositionals: true })
const minutes = Number(positionals[0] ?? "1")
const count = Number(values.count ?? Number.POSITIVE_INFINITY)
if (!(minutes > 0) || !(count > 0)) {
  console.error(
    "Say for how many minutes: npm run soak -- 10, or how many executions: npm run soak -- 60 --count 100000",
  )
  process.exit(2)
}

const server = await startProcess({ env: { HOLDFAST_RATE_LIMIT_PER_MINUTE: "1000000" } })
const client = createClient({ baseUrl: server.url, token: server.token })
const endsAt = performance.now() + minutes * 60_000
const tally = { shell: 0, oneShot: 0, wrong: 0, failed: 0 }
const faults: string[] = []
let issued = 0

interface Answer {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | null
}

/** The first twenty are told; all are counted. */
function report(kind: "wrong" | "failed", text: string): void {
  tally[kind] += 1
  if (faults.length < 20) faults.push(`${kind}: ${text}`)
}

function judge(where: string, wanted: Execution, got: Answer): void {
  const isRight = got.stdout === wanted.stdout && got.stderr === wanted.stderr && got.exit === wanted.exit
  if (!isRight) report("wrong", `${where} ${JSON.stringify({ wanted, got })}`)
}

async function inShell(sessionId: string): Promise<void> {
  const wanted = drawExecution()
  const got = await client.tools.session_exec({ session_id: sessionId, command: wanted.command, timeout_secs: 60 })
  tally.shell += 1
  // The shell's stderr is read exactly but for its last newlines, as `session_exec` gives both views.
  judge("shell", wanted, { stdout: got.stdout, stderr: got.stderr, exit: got.exit_code })
}

async function asOneShot(): Promise<void> {
  const wanted = drawExecution()
  const input = { project: server.project, command: wanted.command, timeout_secs: 60, background: "keep" as const }
  const output = await client.tools.run_shell(input).catch(outputOf)
  tally.oneShot += 1
  const got = { stdout: output.stdout.trimEnd(), stderr: output.stderr.trimEnd(), exit: output.exit_code }
  judge("one-shot", wanted, got)
}

/** A command that did not end with 0 is an error with its output beside it. */
function outputOf(error: unknown): {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number | null
} {
  if (!(error instanceof HoldfastError) || error.kind !== "process_exit") throw error
  const { stdout, stderr, exit_code } = JSON.parse(JSON.stringify(error.output))
  return { stdout, stderr, exit_code }
}

async function openShell(): Promise<string> {
  return (await client.tools.session_create({ transport: "local", shell: "bash" })).session_id
}

async function lane(): Promise<void> {
  let shell = await openShell()
  for (let turn = 1; performance.now() < endsAt && issued < count; turn++) {
    issued += 1
    try {
      if (turn % 2 === 0) await asOneShot()
      else await inShell(shell)
      if (turn % REOPEN_EVERY === 0) {
        await client.tools.session_destroy({ session_id: shell })
        shell = await openShell()
      }
    } catch (error) {
      report("failed", error instanceof Error ? `${error.name}: ${error.message}` : String(error))
      await sleep(50)
    }
  }
  await client.tools.session_destroy({ session_id: shell })
}

function sample(): { readonly zombies: number; readonly line: string } {
  const pids = { server: server.child.pid ?? 0, host: hostOf(server.place.dataDir) }
  const zombies = zombiesOf(Object.values(pids))
  const held = Object.entries(pids).map(([name, pid]) => {
    const { descriptors, rssMb } = heldBy(pid)
    return `${name} ${descriptors} descriptors ${rssMb} MB`
  })
  return {
    zombies,
    line: `${tally.shell} in shells, ${tally.oneShot} one-shots, ${zombies} zombies, ${held.join(", ")}`,
  }
}

const sampling = setInterval(() => console.log(sample().line), SAMPLE_MS)
try {
  await Promise.all(Array.from({ length: LANES }, lane))
  // What ended last is reaped in a moment.
  await sleep(1_000)
  const last = sample()
  console.log(last.line)
  for (const fault of faults) console.log(fault)
  console.log(
    `${tally.shell + tally.oneShot} executions, ${tally.wrong} wrong, ${tally.failed} failed, ${last.zombies} zombies`,
  )
  process.exitCode = tally.wrong + tally.failed + last.zombies === 0 ? 0 : 1
} finally {
  clearInterval(sampling)
  await server[Symbol.asyncDispose]()
}
