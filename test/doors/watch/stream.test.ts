import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace } from "../../support/place.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { has, openEvents, textOf } from "./event-source.ts"

describe("the stream of what runs (shells.md §13)", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const open = (options: { readonly after?: string; readonly token?: string } = {}) =>
    openEvents(server.url, { token: server.token, ...options })
  const runShell = async (command: string, more: object = {}) =>
    String((await server.call("run_shell", { project: "demo", command, ...more })).output.job_id)

  it("tells a command's start, output and end, in this order", async () => {
    await using stream = await open()
    const jobId = await runShell("echo out; echo err >&2; exit 3")
    const events = await stream.until((all) => has(all, "command_ended", jobId))
    const own = events.filter(({ data }) => data["job_id"] === jobId)
    expect(own.map(({ event }) => event)).toEqual(["command_started", "output", "output", "command_ended"])
    expect(own[0]?.data).toMatchObject({
      kind: "shell",
      tool: "run_shell",
      project: "demo",
      command: "echo out; echo err >&2; exit 3",
    })
    expect(textOf(events, jobId)).toBe("out\n")
    expect(textOf(events, jobId, "stderr")).toBe("err\n")
    expect(own[3]?.data).toMatchObject({ outcome: "exited", exit_code: 3, bytes_total: { stdout: 4, stderr: 4 } })
  })

  it("tells a live shell's opening, its commands and its closing", async () => {
    await using stream = await open()
    const { output } = await server.call("session_create", { transport: "local" })
    const shellId = output["session_id"]
    const exec = await server.call("session_exec", { session_id: shellId, command: "echo in shell" })
    await server.call("session_destroy", { session_id: shellId })
    const events = await stream.until((all) => has(all, "shell_closed"))
    const own = events.filter(({ data }) => data["shell_id"] === shellId)
    expect(own.map(({ event }) => event)).toEqual([
      "shell_opened",
      "command_started",
      "output",
      "command_ended",
      "shell_closed",
    ])
    expect(own[0]?.data).toMatchObject({ transport: "local", shell: "bash", family: "free" })
    expect(textOf(events, exec.output["job_id"])).toBe("in shell\n")
    expect(own[4]?.data).toMatchObject({ state: "closed", reason: "destroyed" })
  })

  it("shows output while the command runs, and whoever comes later sees what lives", async () => {
    const jobId = await runShell("echo first; while [ ! -e go ]; do sleep 0.05; done; echo second", {
      sync_wait_secs: 0,
    })
    await using late = await open()
    await late.until((all) => textOf(all, jobId) === "first\n")
    expect(has(late.events, "command_ended", jobId)).toBe(false)
    await runShell("touch go")
    await late.until((all) => has(all, "command_ended", jobId))
    expect(textOf(late.events, jobId)).toBe("first\nsecond\n")
    await runShell("rm go")
  })

  it("goes on behind any event, also in a server that was started later, and repeats and leaves out nothing", async () => {
    const place = await makePlace()
    const before = await startServer({ place })
    const start = async (command: string, more: object = {}) =>
      String((await before.call("run_shell", { project: "demo", command, ...more })).output["job_id"])
    const first = await openEvents(before.url, { token: before.token })
    const jobId = await start("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.05; done; exit 5", { sync_wait_secs: 0 })
    await first.until((all) => textOf(all, jobId).includes("3\n"))
    const cut = first.events.findIndex(({ event }) => event === "output")
    await first.close()
    const between = await start("echo between")
    await before.close()
    const after = await startServer({ place })
    const second = await openEvents(after.url, { token: after.token, after: first.events[cut]?.id ?? "" })
    await second.until((all) => has(all, "command_ended", jobId) && has(all, "command_ended", between))
    const all = [...first.events.slice(0, cut + 1), ...second.events]
    expect(textOf(all, between)).toBe("between\n")
    expect(textOf(all, jobId)).toBe("1\n2\n3\n4\n5\n6\n7\n8\n")
    for (const [event, of] of [
      ["command_started", jobId],
      ["command_ended", jobId],
      ["command_started", between],
    ] as const) {
      expect(
        all.filter((one) => one.event === event && one.data["job_id"] === of),
        event,
      ).toHaveLength(1)
    }
    await second.close()
    await after.close()
    await place.remove()
  })
})
