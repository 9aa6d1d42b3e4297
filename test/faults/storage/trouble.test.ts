import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { OpenedStore, SqliteDatabase } from "../../../adapters/storage/index.ts"
import { openStore } from "../../../adapters/storage/index.ts"
import { MIGRATIONS } from "../../../adapters/storage/migrations/list.ts"
import { aSession, aUser } from "../../contract/store-fixtures.ts"
import { dataDirectory } from "../../contract/store-sqlite.ts"

let place: Awaited<ReturnType<typeof dataDirectory>>
let writer: SqliteDatabase | undefined
let store: OpenedStore | undefined

async function open(): Promise<OpenedStore> {
  store = await openStore({
    dataDir: place.dataDir,
    onConnection: (database, role) => {
      if (role === "writer") writer = database
    },
  })
  return store
}

beforeEach(async () => {
  place = await dataDirectory()
})
afterEach(async () => {
  await store?.close()
  store = undefined
  await place.remove()
})

const raw = () => new Sqlite(join(place.dataDir, "holdfast.db"), { timeout: 0 })

describe("a store whose surroundings fail", () => {
  const unavailable = { name: "ToolError", kind: "storage_unavailable", recovery: "retry_later" }

  it("gives up with storage_unavailable when another process keeps the lock beyond 5 s, without blocking meanwhile", async () => {
    const opened = await open()
    const other = raw()
    other.exec("begin immediate")
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 10)
    const begun = performance.now()
    await expect(opened.write((tx) => tx.users.insert(aUser("a")))).rejects.toMatchObject(unavailable)
    clearInterval(timer)
    const took = performance.now() - begun
    expect(took).toBeGreaterThanOrEqual(5000)
    expect(took).toBeLessThan(10_000)
    expect(ticks).toBeGreaterThan(50)
    expect(await opened.read((tx) => tx.users.list())).toEqual([])
    other.exec("rollback")
    other.close()
    await opened.write((tx) => tx.users.insert(aUser("a")))
    expect(await opened.read((tx) => tx.users.list())).toHaveLength(1)
  })

  it("answers storage_unavailable when the store is read-only, and serves reads", async () => {
    const opened = await open()
    await opened.write((tx) => tx.users.insert(aUser("a")))
    writer?.pragma("query_only = ON")
    await expect(opened.write((tx) => tx.users.insert(aUser("b")))).rejects.toMatchObject(unavailable)
    expect(await opened.read((tx) => tx.users.list())).toEqual([aUser("a")])
    writer?.pragma("query_only = OFF")
    await opened.write((tx) => tx.users.insert(aUser("b")))
  })

  it("answers storage_unavailable when the disk is full, keeps what was committed, and recovers", async () => {
    const opened = await open()
    await opened.write((tx) => tx.sessions.insert(aSession()))
    const pages = Number(writer?.pragma("page_count", { simple: true }))
    writer?.pragma(`max_page_count = ${pages}`)
    const fill = opened.write(async (tx) => {
      for (let count = 0; count < 2000; count += 1) await tx.sessions.insert(aSession({ title: "x".repeat(200) }))
    })
    await expect(fill).rejects.toMatchObject(unavailable)
    expect(await opened.read((tx) => tx.sessions.countAllActive())).toBe(1)
    writer?.pragma("max_page_count = 1000000")
    await opened.write((tx) => tx.sessions.insert(aSession()))
    expect(await opened.read((tx) => tx.sessions.countAllActive())).toBe(2)
  })
})

describe("a file that cannot be opened", () => {
  it("refuses a newer schema by its code and leaves the file as it is", async () => {
    await (await open()).close()
    const database = raw()
    database.exec("update meta set value = '99' where key = 'schema_version'")
    await expect(open()).rejects.toMatchObject({ name: "StoreOpenError", code: "schema_newer" })
    await expect(open()).rejects.toThrow(`schema version 99, this Holdfast knows ${MIGRATIONS.length}.`)
    expect(database.prepare("select value from meta where key = 'schema_version'").pluck().get()).toBe("99")
    database.close()
  })

  it("refuses what is no database", async () => {
    await writeFile(join(place.dataDir, "holdfast.db"), "this is a text file, long enough to be looked at ".repeat(40))
    await expect(open()).rejects.toMatchObject({ name: "StoreOpenError", code: "not_a_database" })
  })

  it("refuses what it cannot open or write", async () => {
    const refused = { name: "StoreOpenError", code: "not_writable" }
    const readOnly = openStore({
      dataDir: place.dataDir,
      onConnection: (database) => database.pragma("query_only = ON"),
    })
    await expect(readOnly).rejects.toMatchObject(refused)
    const dataDir = join(place.dataDir, "other")
    await mkdir(join(dataDir, "holdfast.db"), { recursive: true, mode: 0o700 })
    await chmod(dataDir, 0o700)
    await expect(openStore({ dataDir })).rejects.toMatchObject(refused)
  })

  it("opens again, twice, what it made", async () => {
    const key = await (await open()).instanceKey()
    await store?.close()
    const again = await open()
    expect(await again.instanceKey()).toBe(key)
    expect((await again.facts()).schemaVersion).toBe(8)
  })
})
