import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import Sqlite from "better-sqlite3"
import { afterEach, beforeEach, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import { aSession } from "../../contract/store-fixtures.ts"
import { dataDirectory, writerCommand } from "../../contract/store-sqlite.ts"

let place: Awaited<ReturnType<typeof dataDirectory>>
beforeEach(async () => {
  place = await dataDirectory()
})
afterEach(() => place.remove())

const session = aSession()

async function withStore<T>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
  const store = await openStore({ dataDir: place.dataDir })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function start(command: readonly string[]) {
  const [file = "", ...args] = command
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] })
  const lines: string[] = []
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => lines.push(...chunk.split("\n").filter(Boolean)))
  return { child, lines }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const stored = (): Promise<readonly number[]> =>
  withStore((store) => store.read(async (tx) => (await tx.ledger.all(session.sessionId)).map(({ seq }) => seq)))

it("keeps every acknowledged write of a process killed at any instant, without a gap", async () => {
  await withStore((store) => store.write((tx) => tx.sessions.insert(session)))
  for (let round = 0; round < 5; round += 1) {
    const { child, lines } = start([...writerCommand(place.dataDir), session.sessionId, "100000", "tell"])
    const enough = 1 + Math.floor(Math.random() * 60)
    await until(() => lines.length >= enough)
    child.kill("SIGKILL")
    await once(child, "close")
    const acknowledged = Number(lines.at(-1))
    const seqs = await stored()
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
    // The last commit may be durable without its line having been read.
    expect(seqs.length).toBeGreaterThanOrEqual(acknowledged)
    const database = new Sqlite(join(place.dataDir, "holdfast.db"))
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok")
    database.close()
  }
})

it("keeps nothing of a transaction whose process was killed inside it, and frees the lock", async () => {
  await withStore((store) => store.write((tx) => tx.sessions.insert(session)))
  const script = fileURLToPath(new URL("./hang-in-write.ts", import.meta.url))
  const { child, lines } = start([process.execPath, script, place.dataDir, session.sessionId])
  await until(() => lines.includes("inside"))
  child.kill("SIGKILL")
  await once(child, "close")
  expect(await stored()).toEqual([])
  await withStore((store) => store.write((tx) => tx.sessions.update({ ...session, title: "free" })))
})

it("makes one schema and one key when processes start together on a fresh directory", async () => {
  const script = fileURLToPath(new URL("./open-and-tell.ts", import.meta.url))
  const children = [1, 2, 3, 4].map(() => start([process.execPath, script, place.dataDir]))
  const codes = await Promise.all(children.map(async ({ child }) => (await once(child, "close"))[0]))
  expect(codes).toEqual([0, 0, 0, 0])
  const keys = children.flatMap(({ lines }) => lines)
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
})
