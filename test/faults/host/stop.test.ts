import { existsSync } from "node:fs"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { runtimeDirectoryOf } from "../../../adapters/runners/local/host/runtime-directory.ts"
import { runHoldfast } from "../../doors/cli/run-holdfast.ts"
import { hostPids } from "../../support/runner-hosts.ts"
import { makeServers, type Servers, until } from "./servers.ts"

describe("holdfast stop", () => {
  it("ends every shell and Job of the data directory, names them, and the host goes; the server goes on", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const { output: job } = await servers.call(server, "run_job", { project: "demo", command: "sleep 60" })
    const { output: shell } = await servers.call(server, "session_create", { transport: "local" })
    const end = await runHoldfast(servers.place, ["stop"])
    expect(end).toMatchObject({ code: 0, stderr: "" })
    expect(end.stdout.trim().split("\n")).toEqual([`Ended shell ${shell.session_id}`, `Ended Job ${job.job_id}`])
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 0,
    )
    expect(
      await until(
        async () => (await servers.call(server, "job_status", { job_id: job.job_id })).output,
        ({ terminal }) => terminal === true,
        40_000,
      ),
    ).toMatchObject({ outcome: { kind: "cancelled", by: "shutdown" } })
    const after = await servers.call(server, "run_shell", { project: "demo", command: "echo on" })
    expect(after.output).toMatchObject({ stdout: "on\n" })
    expect(server.stderr()).not.toContain("the journal is closed")
  }, 90_000)

  it("takes away the runtime directory that a killed host left empty", async () => {
    await using servers = await makeServers()
    await mkdir(servers.place.dataDir, { recursive: true, mode: 0o700 })
    const left = runtimeDirectoryOf(servers.place.dataDir)
    await mkdir(left, { mode: 0o700 })
    expect((await runHoldfast(servers.place, ["stop"])).code).toBe(0)
    expect(existsSync(left)).toBe(false)
    await mkdir(path.join(left, "of-another-host"), { recursive: true, mode: 0o700 })
    expect((await runHoldfast(servers.place, ["stop"])).code).toBe(0)
    expect(existsSync(left)).toBe(true)
    await rm(left, { recursive: true })
  }, 60_000)

  it("says so when nothing runs, also where nothing ever ran", async () => {
    await using servers = await makeServers()
    for (const _ of [1, 2]) {
      expect(await runHoldfast(servers.place, ["stop", "--all"])).toMatchObject({
        code: 0,
        stdout: "Nothing was running.\n",
        stderr: "",
      })
    }
    expect(await servers.hosts()).toEqual([])
  }, 60_000)

  const NOTHING = { code: 0, stdout: "Nothing was running.\n", stderr: "" }

  /** A shell and a detached Job that live on without a server. */
  async function leftAlone(servers: Servers) {
    const server = await servers.start()
    const { output: shell } = await servers.call(server, "session_create", { transport: "local" })
    const { output: job } = await servers.call(server, "run_detached_process", {
      project: "demo",
      executable: "sleep",
      args: ["400"],
      idempotency_key: "one",
    })
    expect(await servers.stop(server)).toBe(0)
    return { shellId: String(shell["session_id"]), jobId: String(job["job_id"]) }
  }

  it("without a server: each is named once, no host stays, and the next server tells both as shut down", async () => {
    await using servers = await makeServers()
    const { shellId, jobId } = await leftAlone(servers)
    const first = await runHoldfast(servers.place, ["stop"])
    expect(first.stdout.trim().split("\n")).toEqual([
      `Ended shell ${shellId}`,
      `Goes on: detached Job ${jobId}; holdfast stop --all ends it`,
    ])
    const second = await runHoldfast(servers.place, ["stop", "--all"])
    expect(second).toEqual({ code: 0, stdout: `Ended Job ${jobId}\n`, stderr: "" })
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 0,
      10_000,
    )
    const folders = await readdir(path.join(servers.place.dataDir, "runner"))
    expect(await runHoldfast(servers.place, ["stop", "--all"])).toEqual(NOTHING)
    expect(await runHoldfast(servers.place, ["stop"])).toEqual(NOTHING)
    expect(await readdir(path.join(servers.place.dataDir, "runner"))).toEqual(folders)
    const next = await servers.start()
    expect((await servers.call(next, "job_status", { job_id: jobId })).output).toMatchObject({
      status: "cancelled",
      outcome: { kind: "cancelled", by: "shutdown" },
    })
    expect((await servers.call(next, "session_exec", { session_id: shellId, command: "true" })).error).toMatchObject({
      kind: "shell_closed",
      details: { reason: "shutdown" },
    })
  }, 90_000)

  it("a shell that its host closed while no server was there is told as shut down, not as lost", async () => {
    await using servers = await makeServers()
    const { shellId, jobId } = await leftAlone(servers)
    for (const pid of await hostPids(servers.place.dataDir)) process.kill(pid, "SIGTERM")
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 0,
    )
    const next = await servers.start()
    const told = await until(
      async () => (await servers.call(next, "session_exec", { session_id: shellId, command: "true" })).error,
      (error) => error?.kind !== "runner_unavailable",
    )
    expect(told).toMatchObject({ kind: "shell_closed", details: { reason: "shutdown" } })
    expect(
      await until(
        async () => (await servers.call(next, "job_status", { job_id: jobId })).output,
        ({ terminal }) => terminal === true,
      ),
    ).toMatchObject({ outcome: { kind: "cancelled", by: "shutdown" } })
  }, 90_000)

  it("ends what lives also where the configuration cannot be read, and says so; one that is named must be readable", async () => {
    await using servers = await makeServers()
    const { shellId, jobId } = await leftAlone(servers)
    await writeFile(path.join(servers.place.dataDir, "config.json"), "{ broken")
    const named = await runHoldfast(servers.place, ["stop", "--config", path.join(servers.place.home, "none.json")])
    expect(named).toMatchObject({ code: 2, stdout: "" })
    const end = await runHoldfast(servers.place, ["stop", "--all"])
    expect(end).toMatchObject({ code: 0, stdout: `Ended shell ${shellId}\nEnded Job ${jobId}\n` })
    expect(end.stderr).toMatch(
      /^holdfast: The configuration file .*config\.json is not a JSON object.*This stop goes on/,
    )
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 0,
      10_000,
    )
  }, 90_000)
})
