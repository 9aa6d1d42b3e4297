import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { ServerProcess } from "../../support/server-process.ts"
import { makeServers, type Servers, until } from "./servers.ts"

/** A call under a key of its caller, as text of any result. */
async function keyed(
  server: ServerProcess,
  { tool, key, input }: { readonly tool: string; readonly key: string; readonly input: object },
) {
  const reply = await fetch(`${server.url}/tools/${tool}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${server.token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    },
    body: JSON.stringify(input),
  })
  return { replayed: reply.headers.get("idempotency-replayed"), result: JSON.parse(await reply.text()) }
}

type Keyed = Parameters<typeof keyed>[1]

/** Sends it, kills the server while the command runs, and sends it again to the next one until the Job has ended. */
async function killAndRepeat(servers: Servers, first: ServerProcess, call: Keyed) {
  const lost = keyed(first, call).catch(() => "lost")
  await until(
    () => servers.call(first, "list_jobs", { include_quick: true, limit: 1 }),
    ({ output }) => JSON.stringify(output.jobs).includes('"status":"running"'),
  )
  await servers.kill(first)
  expect(await lost).toBe("lost")
  const second = await servers.start()
  const early = await keyed(second, call)
  await sleep(1500)
  const { result, replayed } = await until(
    () => keyed(second, call),
    (answer) => answer.result.output?.execution_state === "completed",
  )
  expect(replayed).toBe("true")
  return { second, early: early.result, result }
}

async function logOf(servers: Servers, server: ServerProcess, jobId: unknown): Promise<unknown> {
  return Object((await servers.call(server, "job_log", { job_id: jobId })).output.stdout).text
}

const key = (name: string): string => `${name}-0123456789abcdef`

describe("a keyed command whose server was killed", () => {
  it("that failed: the replay has its exit code and names the Job, which has its output", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const input = { project: "demo", command: "echo begin; sleep 1; echo end; exit 7" }
    const { second, early, result } = await killAndRepeat(servers, first, {
      tool: "run_shell",
      key: key("seven"),
      input,
    })
    expect(early.output).toMatchObject({ job_id: result.output.job_id })
    expect(result).toMatchObject({
      success: false,
      error: { kind: "process_exit", execution_state: "completed", details: { exit_code: 7 } },
      output: { status: "failed", terminal: true, exit_code: 7, outcome: { kind: "exited", exit_code: 7 } },
    })
    expect(await logOf(servers, second, result.output.job_id)).toBe("begin\nend\n")
    const { output } = await servers.call(second, "list_jobs", { include_quick: true })
    expect(output.jobs).toHaveLength(1)
  }, 60_000)

  it("that succeeded: the replay is a success", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const input = { project: "demo", command: "echo begin; sleep 1; echo end" }
    const { second, result } = await killAndRepeat(servers, first, { tool: "run_shell", key: key("zero"), input })
    expect(result).toMatchObject({ success: true, output: { status: "completed", terminal: true, exit_code: 0 } })
    expect(await logOf(servers, second, result.output.job_id)).toBe("begin\nend\n")
  }, 60_000)

  it("in a free shell: an exit code is a success of session_exec there, too", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const shell = (await servers.call(first, "session_create", { transport: "local" })).output.session_id
    const input = { session_id: shell, command: "echo begin; sleep 1; echo end; (exit 7)" }
    const call = { tool: "session_exec", key: key("shell"), input }
    const { second, result } = await killAndRepeat(servers, first, call)
    expect(result).toMatchObject({ success: true, output: { session_id: shell, command: input.command, exit_code: 7 } })
    expect(await logOf(servers, second, result.output.job_id)).toBe("begin\nend\n")
    await servers.call(second, "session_destroy", { session_id: shell })
  }, 60_000)
})
