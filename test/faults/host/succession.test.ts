import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import type { ServerProcess } from "../../support/server-process.ts"
import { killProcess, makeServers, type Servers, until } from "./servers.ts"

const ids = createIds()

/** Both die; the host has been gone before its server could do anything. */
async function killBoth(servers: Servers, server: ServerProcess): Promise<void> {
  await servers.kill(server)
  for (const pid of await servers.hosts()) killProcess(pid)
  await until(
    () => servers.hosts(),
    (pids) => pids.length === 0,
  )
}

/** The row as one leaves it who dies while the next host starts: it names that host. Resolves with the ids before and after. */
async function nameNext(servers: Servers, pid: number) {
  const store = await openStore({ dataDir: servers.place.dataDir })
  try {
    return await store.write(async (tx) => {
      const row = await tx.runnerHosts.current()
      if (row === undefined) throw new Error("no row of a host")
      const next = { ...row, hostId: ids.instance(), pid, pidStartedAt: "1" }
      expect(await tx.runnerHosts.replace(row.hostId, next)).toBe(true)
      return { before: row.hostId, after: next.hostId }
    })
  } finally {
    await store.close()
  }
}

/** The row names a host that never wrote its own file. */
async function dieBeforeOwner(servers: Servers, pid: number): Promise<void> {
  await nameNext(servers, pid)
}

/** The next host died as it had put away the file of the one before. */
async function dieWhileTaking(servers: Servers, pid: number): Promise<void> {
  const { before, after } = await nameNext(servers, pid)
  const [from, to] = [join(servers.place.dataDir, "runner", before), join(servers.place.dataDir, "runner", after)]
  const owner = JSON.parse(await readFile(join(from, "owner"), "utf8"))
  await rename(join(from, "owner"), join(from, `owner.${pid}.1`))
  await mkdir(to, { mode: 0o700 })
  await writeFile(join(to, "owner"), JSON.stringify({ ...owner, pid, start: 1 }))
}

describe("a host and who wanted to succeed it die one after the other", () => {
  it.each([
    ["before the next host had said who it is", dieBeforeOwner],
    ["as the next host was taking over", dieWhileTaking],
  ])(
    "%s: the next server has the same shells and the real end of a command",
    async (_when, die) => {
      await using servers = await makeServers()
      const first = await servers.start()
      const open = async () => (await servers.call(first, "session_create", { transport: "local" })).output.session_id
      const [quiet, busy] = [await open(), await open()]
      const command = "A=7; echo $$"
      const made = await servers.call(first, "session_exec", { session_id: quiet, command })
      const long = { session_id: busy, command: "sleep 4; echo done; (exit 3)", sync_wait_secs: 0 }
      const { output } = await servers.call(first, "session_exec", long)
      expect(output).toMatchObject({ execution_state: "running" })
      await killBoth(servers, first)
      await die(servers, first.child.pid ?? 0)

      const second = await servers.start()
      const look = { session_id: quiet, command: "echo $A $$" }
      const after = await servers.call(second, "session_exec", look)
      expect(after).toMatchObject({ success: true, output: { stdout: `7\n${made.output.stdout}`.replace("\n", " ") } })
      expect(after.output).not.toHaveProperty("shell_restarted")
      const job = await until(
        async () => (await servers.call(second, "job_status", { job_id: output.job_id })).output,
        ({ terminal }) => terminal === true,
      )
      expect(job).toMatchObject({ exit_code: 3 })
      await until(
        async () => {
          const log = await servers.call(second, "job_log", { job_id: output.job_id, stream: "stdout" })
          return Object(log.output.stdout).text
        },
        (text) => text === "done\n",
      )
      expect(await servers.hosts()).toHaveLength(1)
    },
    60_000,
  )
})
