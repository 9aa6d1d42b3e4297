import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import type { SessionId } from "../../core/kernel/ids.ts"
import type { Store } from "../../core/store.ts"
import type { Current } from "./store.ts"
import { aFinish, aSession, aStart } from "./store-fixtures.ts"

const KEEP_ALL = { retained: 100_000, repositoryEdited: false }

async function append(store: Store, sessionId: SessionId, at: number): Promise<void> {
  await store.write(async (tx) => {
    // A deferred transaction would read here and fail at the write when another connection commits in between.
    const row = await tx.sessions.byId(sessionId)
    if (row?.readable !== true) throw new Error("the Session is gone")
    const placed = await tx.ledger.append(sessionId, [aStart(at), aFinish(at)], KEEP_ALL)
    expect(placed.first_seq).toBe(row.session.eventsObserved + 1)
  })
}

async function run(command: readonly string[]): Promise<string> {
  const [file, ...args] = command
  if (file === undefined) throw new Error("no command")
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  const [code] = await once(child, "close")
  return `${code} ${output}`
}

/** Several connections and processes at once (design §6). */
export function concurrencyContract(current: Current): void {
  describe("concurrency", () => {
    const seqs = async (id: SessionId): Promise<readonly number[]> =>
      (await current().store.read((tx) => tx.ledger.all(id))).map(({ seq }) => seq)

    const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

    it("lets two connections read and then write at the same time", async () => {
      const { store, second } = current()
      const other = await second()
      const session = aSession()
      await store.write((tx) => tx.sessions.insert(session))
      const turns = upTo(60).flatMap((at) => [
        append(store, session.sessionId, at),
        append(other, session.sessionId, at),
      ])
      await Promise.all(turns)
      expect(await seqs(session.sessionId)).toEqual(upTo(240))
    })

    it("waits for a writer that holds its transaction open", async () => {
      const { store, second } = current()
      const other = await second()
      const session = aSession()
      await store.write((tx) => tx.sessions.insert(session))
      const held = other.write(async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
      })
      await append(store, session.sessionId, 1)
      await held
      expect(await seqs(session.sessionId)).toEqual([1, 2])
    })

    it("lets processes write at once, without one of them finding the database locked", async () => {
      const { store, writerProcess } = current()
      const session = aSession()
      await store.write((tx) => tx.sessions.insert(session))
      const writers = [1, 2, 3].map(() => run([...writerProcess, session.sessionId, "100"]))
      expect(await Promise.all(writers)).toEqual(["0 done\n", "0 done\n", "0 done\n"])
      expect(await seqs(session.sessionId)).toEqual(upTo(300))
    })
  })
}
