import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createClient, type HoldfastClient, type JobOutputItem } from "../../../sdk/index.ts"
import { REPOSITORY } from "../../support/build.ts"
import type { ServerProcess } from "../../support/server-process.ts"
import { killProcess, makeServers } from "./servers.ts"

const clientOf = ({ url, token }: ServerProcess): HoldfastClient => createClient({ baseUrl: url, token })

/** 3 MB of lines in chunks of random size, 20 ms apart. */
const WRITER = `
  let text = ""
  for (let i = 0; text.length < 3_000_000; i++) text += i + " äöü " + "x".repeat(i % 97) + "\\n"
  const bytes = Buffer.from(text)
  let at = 0
  const step = () => {
    const size = 1 + Math.floor(Math.random() * 60_000)
    process.stdout.write(bytes.subarray(at, at + size))
    at += size
    if (at < bytes.length) setTimeout(step, 20)
  }
  step()`

function written(): string {
  let text = ""
  for (let i = 0; text.length < 3_000_000; i += 1) text += `${i} äöü ${"x".repeat(i % 97)}\n`
  return text
}

describe("the SDK while servers and hosts die", () => {
  it("D59: waitForJob returns a Job that exited with 2, and one whose supervisor was lost", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const client = clientOf(server)
    const failed = await client.tools.run_job({ project: "demo", command: "sleep 0.5; exit 2" })
    expect(await client.waitForJob(failed.job_id)).toMatchObject({ status: "failed", exit_code: 2, terminal: true })
    const lost = await client.tools.run_job({ project: "demo", command: "sleep 2; echo tail; exit 4" })
    const [pid] = await servers.hosts()
    killProcess(pid!)
    const ended = await client.waitForJob(lost.job_id, { timeoutMs: 30_000 })
    expect(ended).toMatchObject({
      status: "lost",
      terminal: true,
      outcome: { kind: "unknown", reason: "supervisor_lost" },
    })
  }, 60_000)

  it("D60: jobOutput gives every byte of 3 MB over a restart of the server, and one end", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    await writeFile(path.join(servers.place.root, "write.mjs"), WRITER)
    const client = clientOf(first)
    const { job_id: jobId } = await client.tools.run_job({
      project: "demo",
      command: `${JSON.stringify(process.execPath)} write.mjs`,
    })
    const items: JobOutputItem[] = []
    let restarted = false
    for await (const item of client.jobOutput(jobId)) {
      items.push(item)
      if (restarted) continue
      restarted = true
      await servers.kill(first)
      await servers.start(["--port", String(first.port)])
    }
    const text = items.map((item) => (item.type === "data" ? item.text : "")).join("")
    expect(text === written()).toBe(true)
    expect(items.filter((item) => item.type !== "data")).toEqual([
      { type: "end", job: expect.objectContaining({ terminal: true, exit_code: 0 }) },
    ])
    expect(items.at(-1)?.type).toBe("end")
  }, 90_000)

  it("D61: break after the first item ends at once, nothing is pending, the process exits", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const { job_id: jobId } = await clientOf(server).tools.run_job({ project: "demo", command: "echo one; sleep 60" })
    const program = `
      import { createClient } from ${JSON.stringify(path.join(REPOSITORY, "sdk/index.ts"))}
      const client = createClient({ baseUrl: ${JSON.stringify(server.url)}, token: process.env.TOKEN })
      let broke = 0
      for await (const item of client.jobOutput(${JSON.stringify(jobId)})) { broke = performance.now(); break }
      const ms = performance.now() - broke
      process.on("exit", () => console.log(Math.round(ms), Math.round(performance.now() - broke)))`
    const flags = process.versions.deno === undefined ? ["--input-type=module", "--eval"] : ["eval"]
    const child = spawn(process.execPath, [...flags, program], {
      cwd: REPOSITORY,
      env: { PATH: process.env["PATH"], TOKEN: server.token },
      stdio: ["ignore", "pipe", "inherit"],
    })
    let printed = ""
    child.stdout.on("data", (chunk) => {
      printed += chunk
    })
    const [code] = await once(child, "exit")
    const [untilBroken, untilExit] = printed.trim().split(" ").map(Number)
    expect(code).toBe(0)
    expect(untilBroken).toBeLessThanOrEqual(50)
    expect(untilExit).toBeLessThan(2000)
  }, 60_000)
})
