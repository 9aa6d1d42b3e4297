import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { makePlace } from "../../support/place.ts"
import { startServer } from "../../support/server.ts"

it("every command of a shell, its refusals, restarts and end stand in the audit log, and what the fence refuses never runs", async () => {
  const place = await makePlace()
  const log = path.join(place.home, "audit/")
  const fence = path.join(place.home, "fence.json")
  await writeFile(fence, JSON.stringify({ deny: ["shutdown"] }))
  const server = await startServer({ place, config: { audit_log: log, fence_file: fence } })
  const created = await server.call("session_create", { transport: "local", cwd: server.root, deny: ["rm"] })
  const shell = String(created.output["session_id"])
  const exec = (command: string) => server.call("session_exec", { session_id: shell, command })
  await exec("API_TOKEN=abcdef123456; echo $API_TOKEN; touch kept; (exit 3)")
  for (const [command, program] of [
    ["X=1 sudo rm -rf kept", "rm"],
    ["echo x | shutdown", "shutdown"],
  ] as const) {
    const refused = await exec(command)
    expect(refused.error).toMatchObject({ kind: "fence_denied", details: { rule: "deny", program } })
    expect(refused.error.message).toContain("advisory")
  }
  expect(await readdir(server.root)).toContain("kept")
  await exec("exit 7")
  await server.call("session_destroy", { session_id: shell })
  await server.close()
  const [name = "", ...others] = await readdir(log)
  expect(others).toEqual([])
  expect(name).toMatch(new RegExp(`^${shell}-\\d{13}\\.jsonl$`))
  const text = await readFile(path.join(log, name), "utf8")
  expect(text).not.toContain("abcdef123456")
  const entries = text
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line))
  expect(entries.map(({ event }) => event)).toEqual(["open", "exec", "blocked", "blocked", "exec", "restart", "close"])
  expect(entries.every(({ session, transport }) => session === shell && transport === "local")).toBe(true)
  expect(entries[1]).toMatchObject({ exit_code: 3, stdout: expect.stringContaining("[redacted:API_TOKEN]") })
  expect(entries[2]).toMatchObject({ command: "X=1 sudo rm -rf kept", rule: "deny", program: "rm" })
  expect(entries[4]).toMatchObject({ command: "exit 7", exit_code: 7 })
  expect(entries[5]).toMatchObject({ reason: "exited" })
  expect(entries[6]).toMatchObject({ reason: "destroyed" })
  await place.remove()
})

it("a command that outlives its call stands there as it was handed over, and once more with its end", async () => {
  const place = await makePlace()
  const log = path.join(place.home, "commands.jsonl")
  const server = await startServer({ place, config: { audit_log: log } })
  const { output } = await server.call("session_create", { transport: "local" })
  const shell = String(output["session_id"])
  const command = "echo one; sleep 0.3; echo two; (exit 4)"
  await server.call("session_exec", { session_id: shell, command, sync_wait_secs: 0 })
  await server.call("session_exec", { session_id: shell, command: "true" })
  await server.call("session_destroy", { session_id: shell })
  await server.close()
  const entries = (await readFile(log, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter((entry) => entry["command"] === command)
  expect(entries).toMatchObject([
    { execution_state: "running", exit_code: null },
    { execution_state: "completed", exit_code: 4, stdout: "one\ntwo\n" },
  ])
  await place.remove()
})

it("a command that runs by itself stands there with its arguments, its end, and what the fence refused of it", async () => {
  const before = Date.now()
  const place = await makePlace()
  const log = path.join(place.home, "audit/")
  const fence = path.join(place.home, "fence.json")
  await writeFile(fence, JSON.stringify({ deny: ["shutdown"] }))
  const server = await startServer({ place, config: { audit_log: log, fence_file: fence } })
  const { project } = server
  const started = await server.call("start_session", { project })
  const session = String(started.output["session_id"])
  const within = { project, session_id: session }
  const printf = ["%s|", "a b", "API_TOKEN=abcdef123456"]
  await server.call("run_process", { ...within, executable: "printf", args: printf })
  await server.call("run_shell", { project, command: "PASSWORD=hunter2hunter2; echo $PASSWORD >&2; exit 3" })
  await server.call("run_script", { project, language: "sh", script: "echo $1", args: ["x"] })
  const refused = await server.call("run_shell", { ...within, command: "sudo shutdown now" })
  expect(refused.error.kind).toBe("fence_denied")
  const job = await server.call("run_job", { project, command: "sleep 0.6; echo later; exit 4" })
  const { output: ended } = await server.call("observe_jobs", {
    items: [{ job_id: job.output["job_id"] }],
    wait_secs: 20,
    wake_on: "terminal",
  })
  expect(ended).toMatchObject({ results: [{ ok: true, terminal: true }] })
  const [name = "", ...others] = await readdir(log)
  const lines = async () =>
    (await readFile(path.join(log, name), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line))
  await expect.poll(async () => (await lines()).length, { timeout: 10_000 }).toBe(6)
  await server.close()
  expect(others).toEqual([])
  const days = [before, Date.now()].map((ms) => Date.parse(new Date(ms).toISOString().slice(0, 10)))
  expect(days.map((midnight) => `commands-${midnight}.jsonl`)).toContain(name)
  const entries = await lines()
  const common = { family: "once", transport: "local", project }
  const of = (tool: string) => entries.filter((entry) => entry["tool"] === tool)
  expect(entries).toEqual(entries.map(() => expect.objectContaining(common)))
  expect(of("run_process")).toMatchObject([
    { event: "exec", session, command: "printf", args: ["%s|", "a b", "API_TOKEN=[redacted:API_TOKEN]"], exit_code: 0 },
  ])
  expect(of("run_process")[0]).toHaveProperty("stdout", "a b|API_TOKEN=[redacted:API_TOKEN]|")
  expect(of("run_script")).toMatchObject([{ command: "echo $1", language: "sh", args: ["x"], stdout: "x\n" }])
  const [shell, blocked] = of("run_shell")
  expect(shell).toMatchObject({ event: "exec", exit_code: 3, stderr: "[redacted:PASSWORD]\n", status: "failed" })
  expect(shell).not.toHaveProperty("session")
  expect(blocked).toMatchObject({
    event: "blocked",
    session,
    command: "sudo shutdown now",
    rule: "deny",
    program: "shutdown",
  })
  expect(of("run_job")).toMatchObject([
    { execution_state: "running", exit_code: null },
    { execution_state: "completed", exit_code: 4, stdout: "later\n", job_id: job.output["job_id"] },
  ])
  expect(of("run_job")[0]).not.toHaveProperty("observation_token")
  expect(JSON.stringify(entries)).not.toMatch(/abcdef123456|hunter2/)
  await place.remove()
})

it("a fence file that cannot be used stops the start and is named", async () => {
  const place = await makePlace()
  const fence = path.join(place.home, "fence.json")
  await writeFile(fence, '{"deny": "rm"}')
  await expect(startServer({ place, config: { fence_file: fence } })).rejects.toThrow(
    `The advisory fence in fence_file ${fence} is refused: deny must be a list.`,
  )
  await place.remove()
})
