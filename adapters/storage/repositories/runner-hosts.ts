import type { RunnerHost, RunnerHostStore } from "../../../core/runners/host-store.ts"
import type { Queries } from "../queries.ts"

const SINGLETON = 1

const rowOf = (host: RunnerHost) => ({
  singleton: SINGLETON,
  host_id: host.hostId,
  pid: host.pid,
  pid_started_at: host.pidStartedAt,
  boot_id: host.bootId,
  runtime: host.runtime,
  socket: host.socket,
  protocol: host.protocol,
  version: host.version,
  started_at: host.startedAt,
})

/** Table `runner_hosts`. */
export function createRunnerHostStore(queries: Queries): RunnerHostStore {
  const { builder } = queries
  return {
    async current() {
      const row = await queries.first(builder.selectFrom("runner_hosts").selectAll().compile())
      return (
        row && {
          hostId: row.host_id,
          pid: row.pid,
          pidStartedAt: row.pid_started_at,
          bootId: row.boot_id,
          runtime: row.runtime,
          socket: row.socket,
          protocol: row.protocol,
          version: row.version,
          startedAt: row.started_at,
        }
      )
    },
    async claim(host) {
      const insert = builder.insertInto("runner_hosts").values(rowOf(host))
      return (await queries.change(insert.onConflict((on) => on.column("singleton").doNothing()).compile())) > 0
    },
    async replace(heldBy, host) {
      const update = builder.updateTable("runner_hosts").set(rowOf(host)).where("host_id", "=", heldBy)
      return (await queries.change(update.compile())) > 0
    },
    async release(hostId) {
      const remove = builder.deleteFrom("runner_hosts").where("host_id", "=", hostId)
      return (await queries.change(remove.compile())) > 0
    },
  }
}
