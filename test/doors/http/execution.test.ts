import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer, type ToolAnswer } from "../../support/server.ts"
import { type ServerProcess, startProcess } from "../../support/server-process.ts"

const key = (name: string): Record<string, string> => ({ "Idempotency-Key": `execution-${name.padEnd(16, ".")}` })

/** The ids of processes of this machine whose command line holds a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").includes(text)
    } catch {
      return false
    }
  })
}

async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const end = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("It did not happen in time.")
    await sleep(50)
  }
}

describe("commands through HTTP", () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer({ config: { http_deadline_ms: 6_000 } })
  })

  afterAll(() => server.close())

  const run = (command: string, headers?: Record<string, string>): Promise<ToolAnswer> =>
    server.call("run_shell", { project: server.project, command }, headers)

  const ended = async (jobId: unknown): Promise<Record<string, unknown>> => {
    const { output } = await server.call(
      "observe_jobs",
      { items: [{ job_id: jobId }], wait_secs: 30, wake_on: "terminal" },
      { Prefer: "wait=40" },
    )
    const [result] = output["results"] as readonly Record<string, unknown>[]
    return result ?? {}
  }

  it("D16: a misspelt field is named, its value is nowhere", async () => {
    const answer = await server.call("run_shell", { project: server.project, comand: "zq81" })
    expect(answer.error.kind).toBe("invalid_arguments")
    expect(answer.error.details?.["unknown_fields"]).toEqual(["comand"])
    expect(answer.error.details?.["fields"]).toContainEqual({ path: "command", code: "required" })
    expect(JSON.stringify(answer)).not.toContain("zq81")
    expect(server.log()).not.toContain("zq81")
  })

  it("K31: a stated wait hands the running command over, and it is the same process that ends", async () => {
    const startedAt = Date.now()
    const answer = await run("echo $$ >> k31.pids; sleep 7; echo ok", { Prefer: "wait=5" })
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    expect(answer.success).toBe(true)
    expect(answer.output).toMatchObject({ execution_state: "running", terminal: false, promoted_to_job: true })
    expect(await ended(answer.output["job_id"])).toMatchObject({
      status: "completed",
      exit_code: 0,
      stdout: { text: "ok\n" },
    })
    expect(readFileSync(path.join(server.root, "k31.pids"), "utf8").trim().split("\n")).toHaveLength(1)
  })

  it("D19: the door's own deadline hands over; the real outcome is known later", async () => {
    const answer = await run("sleep 6.5; echo ok")
    expect(answer.output).toMatchObject({ execution_state: "running" })
    expect(await ended(answer.output["job_id"])).toMatchObject({ status: "completed", exit_code: 0 })
  })

  it("D20: a longer stated wait gives one reply after the end", async () => {
    const response = await server.post(
      "/tools/run_shell",
      { project: server.project, command: "sleep 6.5; echo ok" },
      { Prefer: "wait=30" },
    )
    expect(response.headers.get("preference-applied")).toContain("wait=30")
    const answer: ToolAnswer = JSON.parse(await response.text())
    expect(answer.output).toMatchObject({ terminal: true, exit_code: 0, stdout: "ok\n" })
  })

  it("D21: the same key and content runs once; other content is refused", async () => {
    const body = { project: server.project, command: "echo x >> d21" }
    const first = await server.post("/tools/run_shell", body, key("d21"))
    const second = await server.post("/tools/run_shell", body, key("d21"))
    expect(second.headers.get("idempotency-replayed")).toBe("true")
    expect(await second.json()).toEqual(await first.json())
    const third = await server.post("/tools/run_shell", { ...body, command: "echo y >> d21" }, key("d21"))
    expect(third.status).toBe(409)
    expect(await third.json()).toMatchObject({ error: { kind: "idempotency_conflict" } })
    expect(readFileSync(path.join(server.root, "d21"), "utf8")).toBe("x\n")
  })

  it("D22: two at once under one key are one process and equal replies", async () => {
    const both = await Promise.all([run("sleep 2; echo $$", key("d22")), run("sleep 2; echo $$", key("d22"))])
    expect(both[0]?.output["stdout"]).toMatch(/^\d+\n$/)
    expect(both[1]).toEqual(both[0])
  })

  it("D24: what a keyed call printed lies in no byte of the call keys, and the replay has it", async () => {
    const command = "printf canary-7f3"
    await run(command, key("d24"))
    const keys = await server.runtime.store.read((tx) => tx.callKeys.byHash("none"))
    expect(keys).toBeUndefined()
    const database = readFileSync(path.join(server.dataDir, "holdfast.db"))
    const log = readFileSync(path.join(server.dataDir, "holdfast.db-wal"))
    expect(database.includes("canary-7f3") || log.includes("canary-7f3")).toBe(false)
    expect((await run(command, key("d24"))).output["stdout"]).toBe("canary-7f3")
  })

  it("D26: a client that hangs up does not stop its command", async () => {
    const gone = new AbortController()
    const request = fetch(`${server.url}/tools/run_shell`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ project: server.project, command: "sleep 3; touch d26.done" }),
      signal: gone.signal,
    })
    await sleep(1_000)
    gone.abort()
    await expect(request).rejects.toThrow()
    await until(() => existsSync(path.join(server.root, "d26.done")))
  })

  it("D27: DELETE of a key in flight cancels its command; a repeat and a stranger find nothing", async () => {
    const running = run("sleep 31.27", key("d27"))
    await until(() => processesWith("sleep 31.27").length > 0)
    const cancel = (): Promise<Response> =>
      fetch(`${server.url}/calls/${key("d27")["Idempotency-Key"]}`, {
        method: "DELETE",
        headers: { Authorization: `Bearer ${server.token}` },
      })
    expect((await cancel()).status).toBe(202)
    expect(await running).toMatchObject({ success: false, error: { kind: "cancelled", details: { by: "caller" } } })
    await until(() => processesWith("sleep 31.27").length === 0)
    expect((await cancel()).status).toBe(404)
  })
})

describe("a killed server", () => {
  const post = (server: ServerProcess, body: object): Promise<Response> =>
    fetch(`${server.url}/tools/run_shell`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json", ...key("d23") },
      body: JSON.stringify(body),
    })

  it("D23: a keyed command is never started a second time", async () => {
    await using first = await startProcess()
    const body = { project: "demo", command: "echo $$ >> d23.pids; sleep 5.23" }
    const lost = post(first, body).catch((error: unknown) => error)
    await until(() => existsSync(path.join(first.place.root, "d23.pids")))
    first.child.kill("SIGKILL")
    await first.exited
    expect(await lost).toBeInstanceOf(Error)
    await using second = await startProcess({ place: first.place })
    const repeated = JSON.parse(await (await post(second, body)).text())
    // Its Job as it stands, once the call itself has been recovered.
    const told = repeated.success ? repeated.output.status : repeated.error.kind
    expect(["queued", "running", "recovering", "outcome_unknown", "call_in_progress"]).toContain(told)
    expect(readFileSync(path.join(first.place.root, "d23.pids"), "utf8").trim().split("\n")).toHaveLength(1)
  })
})
