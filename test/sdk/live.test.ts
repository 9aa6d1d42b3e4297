import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import path from "node:path"
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type AttemptReport,
  type ClientOptions,
  createClient,
  type HoldfastClient,
  type JobOutputItem,
} from "../../sdk/index.ts"
import { connectLocal } from "../../sdk/local.ts"
import { REPOSITORY } from "../support/build.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { startCuttingProxy } from "./cutting-proxy.ts"
import { rejection } from "./server-replies.ts"

let server: TestServer
let client: HoldfastClient
beforeAll(async () => {
  server = await startServer()
  client = clientOf()
})
afterAll(() => server.close())

function clientOf(options: ClientOptions = {}): HoldfastClient {
  return createClient({ baseUrl: server.url, token: server.token, ...options })
}

/** A Job that is handed over at once and runs on. */
async function startJob(command: string): Promise<string> {
  const started = await client.tools.run_shell({ project: "demo", command, sync_wait_secs: 0 })
  expect(started.terminal).toBe(false)
  return started.job_id
}

describe("calls of a live server", () => {
  it("a tool's output comes as its method's value; a refusal as a typed error", async () => {
    const { projects, total } = await client.tools.list_projects()
    expect([projects.map(({ project }) => project), total]).toEqual([["demo"], 1])
    const error = await rejection(client.tools.git_status({ project: "nowhere" }))
    expect(error).toMatchObject({
      kind: "project_not_found",
      recovery: "fix_input",
      status: 404,
      tool: "git_status",
      attempts: 1,
    })
    expect(error).toHaveProperty("requestId", expect.stringMatching(/^[0-9a-f]{32}$/))
    expect(await client.call("run_shell", { project: "demo", command: "exit 3" })).toMatchObject({
      success: false,
      error: { kind: "process_exit" },
      output: { exit_code: 3 },
    })
  })

  it("D55: the connection is reset after the effect and before the reply: one effect, two attempts", async () => {
    await using proxy = await startCuttingProxy(server.port)
    const attempts: AttemptReport[] = []
    const through = clientOf({ baseUrl: proxy.url, onAttempt: (report) => attempts.push(report) })
    const output = await through.tools.run_shell({ project: "demo", command: "echo x >> d55" })
    expect(output).toMatchObject({ terminal: true, exit_code: 0 })
    expect(await readFile(path.join(server.root, "d55"), "utf8")).toBe("x\n")
    expect(attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, undefined],
      [2, 200],
    ])
  })

  it("D57: an abort rejects with that object and the command is cancelled; with leave it ends by itself", async () => {
    const abortAfterStart = async (onAbort: "cancel" | "leave", file: string): Promise<unknown> => {
      const stop = new Error("stop")
      const controller = new AbortController()
      const command = `echo begun > ${file}; sleep 3; echo ended >> ${file}`
      const call = rejection(
        client.tools.run_shell({ project: "demo", command }, { signal: controller.signal, onAbort }),
      )
      await expect.poll(() => text(file), { timeout: 10_000 }).toBe("begun\n")
      controller.abort(stop)
      expect(await call).toBe(stop)
      return undefined
    }
    const text = (file: string): Promise<string> => readFile(path.join(server.root, file), "utf8").catch(() => "")
    await abortAfterStart("cancel", "d57-cancel")
    await abortAfterStart("leave", "d57-leave")
    await expect.poll(() => text("d57-leave"), { timeout: 10_000 }).toBe("begun\nended\n")
    expect(await text("d57-cancel")).toBe("begun\n")
    expect(await rejection(client.tools.list_projects({}, { signal: AbortSignal.abort("no") }))).toBe("no")
  })

  it("D58: a redirect to another origin is not followed, and the token is in no part of the error", async () => {
    let elsewhere = 0
    const other = createServer((_request, response) => {
      elsewhere += 1
      response.end()
    }).listen(0, "127.0.0.1")
    await once(other, "listening")
    const target = `http://127.0.0.1:${(other.address() as AddressInfo).port}/tools/list_projects`
    const redirecting = createServer((_request, response) => {
      response.writeHead(302, { Location: target }).end()
    }).listen(0, "127.0.0.1")
    await once(redirecting, "listening")
    const baseUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
    const error = await rejection(
      clientOf({ baseUrl, retry: false }).tools.run_shell({ project: "demo", command: "true" }),
    )
    expect(error).toMatchObject({ kind: "connection_failed", executionState: "outcome_unknown" })
    expect(elsewhere).toBe(0)
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(server.token)
    other.close()
    redirecting.close()
  })

  it("no server: not_started, and the error does not show the token", async () => {
    const closed = createServer().listen(0, "127.0.0.1")
    await once(closed, "listening")
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const error = await rejection(
      clientOf({ baseUrl: `http://127.0.0.1:${port}`, retry: { max: 1, minDelayMs: 1 } }).tools.run_shell({
        project: "demo",
        command: "true",
      }),
    )
    expect(error).toMatchObject({ kind: "connection_failed", executionState: "not_started", attempts: 1 + 1 })
    expect(inspect(error, { depth: 9 })).not.toContain(server.token)
  })

  it("the operator client lists users and refuses like the door", async () => {
    const { data } = await client.operator.POST("/api/users/add", { body: { name: "sdk-user" } })
    expect(data?.user).toMatchObject({ name: "sdk-user" })
    const error = await rejection(client.operator.POST("/api/users/add", { body: { name: "sdk-user" } }))
    expect(error).toMatchObject({ kind: "invalid_arguments", status: 400 })
    expect((await client.operator.POST("/api/status", { body: {} })).data).toMatchObject({ success: true })
  })

  it("connectLocal reads the token file; a directory without one is named", async () => {
    const local = await connectLocal({ dataDir: server.dataDir, port: server.port })
    expect((await local.tools.list_projects()).total).toBe(1)
    expect(await rejection(connectLocal({ dataDir: server.root }))).toMatchObject({
      kind: "configuration_invalid",
      details: { option: "dataDir" },
    })
  })
})

describe("a Session handle (doors.md §5.5)", () => {
  it("fills in Session and Project, explicit values win, close is final", async () => {
    const handle = client.session(await client.tools.start_session({ project: "demo" }), { record: true })
    expect(Object.isFrozen(handle)).toBe(true)
    expect(handle.tools.run_shell).toBe(handle.tools.run_shell)
    expect((await handle.tools.run_shell({ command: "echo hi" })).stdout).toBe("hi\n")
    expect(await rejection(handle.tools.git_status({ project: "nowhere" }))).toMatchObject({
      kind: expect.stringMatching(/project/),
    })
    expect((await handle.tools.session_summary()).session_id).toBe(handle.id)
    await handle.close()
    expect(await rejection(handle.tools.run_shell({ command: "true" }))).toMatchObject({ kind: "session_closed" })
  })
})

describe("observeMessages (doors.md §5.5)", () => {
  const started = async () => (await client.tools.start_session({ project: "demo" })).session_id
  const post = async (session_id: string, message: string) =>
    (await client.tools.post_session_message({ session_id, kind: "note", message })).message_id

  it("gives what comes from now on, once and in order; another process goes on exactly at its cursor; a close ends it", async () => {
    const session = await started()
    await post(session, "before")
    const changes = client.observeMessages(session)
    expect(changes.cursor).toBeUndefined()
    const first = changes.next()
    await expect.poll(() => changes.cursor).toMatch(/^./)
    const one = await post(session, "one")
    for (const message of ["two", "three"]) await post(session, message)
    expect((await first).value).toMatchObject({ message: "one", status: "open" })
    const { cursor } = changes
    expect((await changes.next()).value).toMatchObject({ message: "two" })
    await changes.return?.()
    const elsewhere = clientOf().session({ session_id: session }).messages({ after: cursor })
    expect((await elsewhere.next()).value).toMatchObject({ message: "two" })
    expect((await elsewhere.next()).value).toMatchObject({ message: "three" })
    await client.tools.resolve_session_message({ session_id: session, message_id: one, resolution: "seen" })
    expect((await elsewhere.next()).value).toMatchObject({ message: "one", status: "resolved" })
    const last = elsewhere.next()
    await client.tools.close_session({ session_id: session })
    expect(await last).toEqual({ done: true, value: undefined })
  })

  it("says when the board no longer holds what changed, or goes on with what it holds", {
    timeout: 60_000,
  }, async () => {
    const session = await started()
    const { observation_token: after } = await client.tools.observe_session_messages({ session_id: session })
    for (let posted = 0; posted <= 200; posted += 1) await post(session, `note ${posted}`)
    const strict = client.observeMessages(session, { after })
    expect(await rejection(strict.next())).toMatchObject({ kind: "history_lost", recovery: "reobserve" })
    expect(strict.cursor).toBe(after)
    const lenient = client.observeMessages(session, { after, onHistoryLost: "continue" })
    expect((await lenient.next()).value).toMatchObject({ message: "note 1" })
    expect((await lenient.next()).value).toMatchObject({ message: "note 2" })
    await lenient.return?.()
  })

  it("return() ends a look in flight; an abort rejects with its reason", async () => {
    const session = await started()
    const changes = client.observeMessages(session)
    const waiting = changes.next()
    await expect.poll(() => changes.cursor).toMatch(/^./)
    await changes.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await changes.next()).toEqual({ done: true, value: undefined })
    const stop = new AbortController()
    const aborted = rejection(client.observeMessages(session, { signal: stop.signal }).next())
    const reason = new Error("enough")
    setTimeout(() => stop.abort(reason), 100)
    expect(await aborted).toBe(reason)
  })
})

describe("Job helpers (doors.md §5.5)", () => {
  it("waitForJob returns every truthful end, with the last lines; an unknown Job throws", async () => {
    const seen: boolean[] = []
    const job = await client.waitForJob(await startJob("echo out; sleep 1; echo err >&2; exit 2"), {
      onOutput: (log) => seen.push(log.terminal),
    })
    expect(job).toMatchObject({ terminal: true, outcome: { kind: "exited", exit_code: 2 }, exit_code: 2 })
    expect([job.stdout?.text, job.stderr?.text]).toEqual(["out\n", "err\n"])
    expect(seen.at(-1)).toBe(true)
    expect(await rejection(client.waitForJob(`wc_job_${"0".repeat(32)}`))).toMatchObject({ kind: "job_not_found" })
  })

  it("settle gives a finished output as it is and waits for a handed-over one", async () => {
    const done = await client.tools.run_shell({ project: "demo", command: "echo now" })
    expect(await client.settle(done)).toBe(done)
    const later = await client.tools.run_shell({ project: "demo", command: "sleep 1; echo later", sync_wait_secs: 0 })
    expect(await client.settle(later)).toMatchObject({
      terminal: true,
      job_id: later.job_id,
      stdout: { text: "later\n" },
    })
  })

  it("wait_timed_out leaves the Job running; an abort rejects with its reason", async () => {
    const jobId = await startJob("sleep 60")
    const startedAt = performance.now()
    expect(await rejection(client.waitForJob(jobId, { timeoutMs: 300 }))).toMatchObject({
      kind: "wait_timed_out",
      details: { job_id: jobId },
      executionState: "running",
    })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    const controller = new AbortController()
    const waiting = rejection(client.waitForJob(jobId, { signal: controller.signal }))
    setTimeout(() => controller.abort("enough"), 200)
    expect(await waiting).toBe("enough")
    expect(await client.tools.stop_job({ job_id: jobId, confirm: true })).toMatchObject({
      outcome: { kind: "cancelled" },
    })
    expect(await client.waitForJob(jobId)).toMatchObject({ status: "stopped", terminal: true })
  })

  it("jobOutput gives every byte once and in order, then one end: while it is written and afterwards", {
    timeout: 60_000,
  }, async () => {
    const script = `
      let i = 0
      const line = () => i + " äöü " + "x".repeat(i++ % 97) + "\\n"
      const step = () => {
        for (let n = 0; n < 400; n++) process.stdout.write(line())
        process.stderr.write("e" + i + "\\n")
        if (i < 12000) setTimeout(step, 20)
      }
      step()`
    await writeFile(path.join(server.root, "write.mjs"), script)
    const jobId = await startJob(`${JSON.stringify(process.execPath)} write.mjs`)
    const expected = Array.from({ length: 12_000 }, (_none, i) => `${i} äöü ${"x".repeat(i % 97)}\n`).join("")
    const errors = Array.from({ length: 30 }, (_none, i) => `e${(i + 1) * 400}\n`).join("")
    for (const pass of ["written", "afterwards"]) {
      const items: JobOutputItem[] = []
      for await (const item of client.jobOutput(jobId)) items.push(item)
      const of = (stream: string): string =>
        items.map((item) => (item.type === "data" && item.stream === stream ? item.text : "")).join("")
      expect(of("stdout") === expected, pass).toBe(true)
      expect(of("stderr"), pass).toBe(errors)
      expect(
        items.filter((item) => item.type !== "data"),
        pass,
      ).toEqual([{ type: "end", job: expect.objectContaining({ terminal: true, exit_code: 0 }) }])
      expect(items.at(-1)?.type).toBe("end")
      let offset = 0
      for (const item of items) {
        if (item.type !== "data" || item.stream !== "stdout") continue
        expect(item.offset).toBe(offset)
        offset += Buffer.byteLength(item.text)
      }
    }
  })

  it("break ends at once; return() cancels a poll in flight; an abort rejects with its reason", async () => {
    const jobId = await startJob("echo one; sleep 60")
    for await (const item of client.jobOutput(jobId)) {
      expect(item).toMatchObject({ type: "data", stream: "stdout", text: "one\n", offset: 0 })
      break
    }
    const iterator = client.jobOutput(jobId)
    await iterator.next()
    const pending = iterator.next()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const startedAt = performance.now()
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
    const controller = new AbortController()
    const aborted = client.jobOutput(jobId, { signal: controller.signal })
    await aborted.next()
    setTimeout(() => controller.abort("enough"), 100)
    expect(await rejection(aborted.next())).toBe("enough")
    await client.tools.stop_job({ job_id: jobId, confirm: true })
  })

  it("a program that breaks out exits by itself", async () => {
    const jobId = await startJob("echo one; sleep 60")
    const program = `
      import { createClient } from ${JSON.stringify(path.join(REPOSITORY, "sdk/index.ts"))}
      const client = createClient({ baseUrl: ${JSON.stringify(server.url)}, token: process.env.TOKEN })
      for await (const item of client.jobOutput(${JSON.stringify(jobId)})) { console.log(item.text.trim()); break }`
    const flags = process.versions.deno === undefined ? ["--input-type=module", "--eval"] : ["eval"]
    const child = spawn(process.execPath, [...flags, program], {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH, TOKEN: server.token },
      stdio: ["ignore", "pipe", "inherit"],
    })
    let printed = ""
    child.stdout.on("data", (chunk) => {
      printed += chunk
    })
    const [code] = await once(child, "exit")
    expect([code, printed]).toEqual([0, "one\n"])
    await client.tools.stop_job({ job_id: jobId, confirm: true })
  })
})
