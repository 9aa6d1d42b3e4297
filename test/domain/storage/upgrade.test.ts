import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import { migrate } from "../../../adapters/storage/migrate.ts"
import { MIGRATIONS } from "../../../adapters/storage/migrations/list.ts"
import { systemPatience } from "../../../adapters/storage/sqlite/begin-immediate.ts"
import { sqliteDialect } from "../../../adapters/storage/sqlite/dialect.ts"
import { openSqlite } from "../../../adapters/storage/sqlite/open-sqlite.ts"
import { SqliteTransactions } from "../../../adapters/storage/sqlite/transactions.ts"
import { aJob, ids } from "../../contract/store-fixtures.ts"
import { dataDirectory } from "../../contract/store-sqlite.ts"

/** Makes a database as a Holdfast of this schema version left it. */
async function makeVersion(dataDir: string, version: number): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const pair = await openSqlite(dataDir, { durability: "process", patience: systemPatience })
  const transactions = new SqliteTransactions(pair, systemPatience)
  const migrations = MIGRATIONS.filter((migration) => migration.version <= version)
  await transactions.write((connection) => migrate(sqliteDialect(), connection, { hasMeta: false, migrations }))
  await transactions.close()
}

it("a database from before there were shells keeps its Jobs, and may then hold commands of shells", async () => {
  const place = await dataDirectory()
  try {
    await makeVersion(place.dataDir, 3)
    const job = aJob({ idempotencyKey: "k", purpose: "build", cwd: "pkg", projectPk: ids.projectPk() })
    const old = new Sqlite(join(place.dataDir, "holdfast.db"))
    const row = {
      job_id: job.jobId,
      kind: "shell",
      tool: job.tool,
      owner_fingerprint: job.ownerFingerprint,
      principal_id: job.principalId,
      project_pk: job.projectPk,
      call_id: job.callId,
      invocation_id: job.invocationId,
      idempotency_key: "k",
      purpose: "build",
      target: "local",
      cwd: "pkg",
      status: job.status,
      execution_state: job.executionState,
      handed_over: 0,
      timeout_ms: job.timeoutMs,
      host_id: job.hostId,
      created_at: job.createdAt,
      started_at: job.startedAt,
      recovered: 0,
      output_gap: 0,
      output_state: "available",
      revision: 1,
    }
    const names = Object.keys(row)
    old.prepare(`insert into jobs (${names}) values (${names.map((name) => `@${name}`)})`).run(row)
    expect(() => old.exec(`update jobs set kind = 'shell_command'`)).toThrow("CHECK constraint failed")
    old.close()

    const store = await openStore({ dataDir: place.dataDir })
    expect((await store.facts()).schemaVersion).toBe(MIGRATIONS.at(-1)?.version)
    expect(await store.read((tx) => tx.jobs.byId(job.jobId))).toEqual(job)
    const command = aJob({ kind: "shell_command", shellUid: ids.shellUid(), target: "docker" })
    await store.write((tx) => tx.jobs.insert(command))
    expect(await store.read((tx) => tx.jobs.byId(command.jobId))).toEqual(command)
    await expect(store.write((tx) => tx.jobs.insert({ ...job, jobId: ids.job() }))).rejects.toThrow()
    await store.close()
  } finally {
    await place.remove()
  }
})
