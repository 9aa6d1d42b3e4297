import type { InstanceId } from "../../../core/kernel/ids.ts"
import type { InstanceStore } from "../../../core/kernel/instances.ts"
import type { Queries } from "../queries.ts"

/** Table `instances`. */
export function createInstanceStore(queries: Queries): InstanceStore {
  const { builder } = queries
  return {
    async insert(instance) {
      const row = {
        instance: instance.instance,
        host: instance.host,
        pid: instance.pid,
        pid_started_at: instance.pidStartedAt,
        started_at: instance.startedAt,
        seen_at: instance.seenAt,
      }
      await queries.change(builder.insertInto("instances").values(row).compile())
    },
    async renew(instance: InstanceId, seenAt) {
      const update = builder.updateTable("instances").set({ seen_at: seenAt })
      await queries.change(update.where("instance", "=", instance).compile())
    },
    async remove(instance) {
      await queries.change(builder.deleteFrom("instances").where("instance", "=", instance).compile())
    },
    async list() {
      const rows = await queries.all(builder.selectFrom("instances").selectAll().orderBy("started_at").compile())
      return rows.map((row) => ({
        instance: row.instance,
        host: row.host,
        pid: row.pid,
        pidStartedAt: row.pid_started_at,
        startedAt: row.started_at,
        seenAt: row.seen_at,
      }))
    },
  }
}
