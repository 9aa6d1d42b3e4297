import type { Board } from "../../../core/messages/record.ts"
import type { Store, Tx } from "../../../core/store.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { openBoardCalls } from "../board-calls.ts"
import { startHttpChild } from "../children.ts"
import { createHttpClient } from "../http-client.ts"
import { interleave } from "../measure.ts"
import { copyDataDir, makePlace, seedDataDir } from "../place.ts"
import { startProduct } from "../product-child.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { benchTools } from "../tools.ts"

const BATCH = 5
const NOTE = { kind: "note", message: "x".repeat(200) } as const

/** What the board adds to a call that is recorded, and what a post costs through HTTP (spec messages.md §12). */
export async function boardDoorRows(bench: Bench): Promise<readonly Row[]> {
  return [await attentionRow(bench), await httpPostRow(bench)]
}

/** A recorded call on a board in use, beside the same call with a board that answers at once that it was never used. */
async function attentionRow(bench: Bench): Promise<Row> {
  const looking = await recordedCall(bench, (tx) => tx.messages)
  const blind = await recordedCall(bench, ({ messages }) => ({ ...messages, board: async () => UNUSED }))
  const times = await interleave({ subject: looking, floor: blind }, { rounds: bench.count(700), batch: BATCH })
  return { name: "Recorded call: what the board wants to be seen", unit: "ms", ...times, target: atMost(1.05) }
}

const UNUSED: Board = { lifecycle: "active", revision: 0, floor: 0, lastPos: 0 }

async function recordedCall(bench: Bench, messages: (tx: Tx) => Tx["messages"]): Promise<() => Promise<void>> {
  let isMeasured = false
  const seen = (tx: Tx): Tx =>
    new Proxy(tx, { get: (of, name) => (name === "messages" ? messages(of) : Reflect.get(of, name, of)) })
  const wrapStore = (store: Store): Store => ({
    read: (work) => store.read(work),
    readOnce: (work) => store.readOnce(work),
    write: (work) => store.write((tx) => work(isMeasured ? seen(tx) : tx)),
    facts: () => store.facts(),
    instanceKey: () => store.instanceKey(),
    close: () => store.close(),
  })
  const harness = await createHarness({ tools: benchTools, wrapStore })
  bench.undo(() => harness[Symbol.asyncDispose]())
  const recorders = await usedBoards(harness)
  isMeasured = true
  let turn = 0
  return async () => {
    for (let done = 0; done < BATCH; done++) {
      turn += 1
      await harness.ok("bench_echo", { text: "x".repeat(100) }, { recorder: recorders[turn % recorders.length] ?? "" })
    }
  }
}

const BOARDS = 20
const MESSAGES = 20

/** Sessions whose boards hold notes and a todo, and nothing that requires an acknowledgement. */
async function usedBoards(harness: Harness): Promise<readonly string[]> {
  const sessions: string[] = []
  for (let made = 0; made < BOARDS; made++) {
    const session_id = await harness.session()
    await harness.ok("post_session_message", { session_id, kind: "todo", message: "a todo" })
    for (let posted = 1; posted < MESSAGES; posted++) await harness.ok("post_session_message", { session_id, ...NOTE })
    sessions.push(session_id)
  }
  return sessions
}

/** One post through `POST /tools/post_session_message`, beside a bare echo that commits what a post has to commit. */
async function httpPostRow(bench: Bench): Promise<Row> {
  const place = await makePlace(bench)
  const product = await startProduct(bench, place, { sessions: 1 })
  const client = createHttpClient()
  bench.undo(() => client.close())
  const session_id = product.nextSession()
  const post = (kind: string) => client.send(product.call("post_session_message", { session_id, ...NOTE, kind }))
  const seeded = await seedDataDir(place, "seed")
  const [session = ""] = seeded.sessions
  await fillBoard(bench, seeded.dataDir, session)
  const { database } = await copyDataDir(place, seeded, "floor")
  const floor = await startHttpChild(bench, "express-floor.ts", { args: [database, "-", session] })
  const headers = { "Content-Type": "application/json" }
  const body = JSON.stringify({ session_id, ...NOTE })
  for (let posted = 0; posted < FULL; posted++) await post("note")
  const times = await interleave(
    { subject: () => post("note"), floor: () => client.send({ port: floor.port, path: "/posted", headers, body }) },
    { rounds: bench.count(1500) },
  )
  return { name: "HTTP: post on a full board", unit: "ms", ...times, target: atMost(2) }
}

const FULL = 200

async function fillBoard(bench: Bench, dataDir: string, session_id: string): Promise<void> {
  const calls = await openBoardCalls(bench, dataDir)
  await calls.post({ session_id, kind: "todo", message: "a todo" })
  for (let posted = 1; posted < FULL; posted++) await calls.post({ session_id, ...NOTE })
  await calls.store.close()
}
