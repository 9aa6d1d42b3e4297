import { existsSync } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { runtimeDirectoryOf } from "../../../adapters/runners/local/host/runtime-directory.ts"
import { runHoldfast } from "../../doors/cli/run-holdfast.ts"
import { makeServers, until } from "./servers.ts"

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
})
