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

it("a fence file that cannot be used stops the start and is named", async () => {
  const place = await makePlace()
  const fence = path.join(place.home, "fence.json")
  await writeFile(fence, '{"deny": "rm"}')
  await expect(startServer({ place, config: { fence_file: fence } })).rejects.toThrow(
    `The advisory fence in fence_file ${fence} is refused: deny must be a list.`,
  )
  await place.remove()
})
