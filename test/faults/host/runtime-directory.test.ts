import { existsSync } from "node:fs"
import { lstat, rm } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { runtimeDirectoryOf } from "../../../adapters/runners/local/index.ts"
import { killProcess, makeServers, until } from "./servers.ts"

describe("the runtime directory", () => {
  it("removed by somebody, it is made again for the next server, and what runs goes on", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const { output } = await servers.call(first, "run_job", { project: "demo", command: "sleep 4; echo late; exit 6" })
    const runtime = runtimeDirectoryOf(servers.place.dataDir)
    expect((await lstat(runtime)).mode & 0o777).toBe(0o700)
    await rm(runtime, { recursive: true })
    await servers.kill(first)
    const second = await servers.start()
    const ran = await servers.call(second, "run_shell", { project: "demo", command: "echo new" })
    expect(ran.output).toMatchObject({ stdout: "new\n" })
    expect(await servers.hosts()).toHaveLength(1)
    expect((await lstat(runtime)).mode & 0o777).toBe(0o700)
    const job = await until(
      async () => (await servers.call(second, "job_status", { job_id: output["job_id"] })).output,
      ({ terminal }) => terminal === true,
    )
    expect(job).toMatchObject({ status: "failed", exit_code: 6, output_gap: false })
  }, 60_000)

  it("goes with the host that held nothing", async () => {
    await using servers = await makeServers({ HOLDFAST_RUNNER_LINGER_MS: "0" })
    const server = await servers.start()
    await servers.call(server, "run_shell", { project: "demo", command: "true" })
    const runtime = runtimeDirectoryOf(servers.place.dataDir)
    expect(existsSync(runtime)).toBe(true)
    await servers.stop(server)
    await until(
      async () => existsSync(runtime),
      (there) => !there,
    )
  }, 60_000)

  it("J1: hosts that die while commands are being started: none runs twice", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    await servers.call(server, "run_shell", { project: "demo", command: "true" })
    const killing = new AbortController()
    const kills = (async () => {
      for (let n = 0; n < 4 && !killing.signal.aborted; n += 1) {
        await sleep(400)
        for (const pid of await servers.hosts()) killProcess(pid)
      }
    })()
    const names = Array.from({ length: 60 }, (_, n) => `n${n}`)
    for (const name of names) {
      await servers.call(server, "run_shell", { project: "demo", command: `echo x >> ran-${name}`, timeout_secs: 20 })
    }
    killing.abort()
    await kills
    const { output } = await servers.call(server, "run_shell", {
      project: "demo",
      command: "for f in ran-*; do wc -l < $f; done | sort -u",
    })
    expect(String(output["stdout"]).trim()).toBe("1")
  }, 90_000)
})
