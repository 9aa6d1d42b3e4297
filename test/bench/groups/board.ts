import Sqlite from "better-sqlite3"
import { type BoardCalls, openBoardCalls } from "../board-calls.ts"
import { interleave } from "../measure.ts"
import { copyDataDir, makePlace, type Place, type Seeded, seedDataDir } from "../place.ts"
import { openRawBoard } from "../raw-board.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { fillMessages } from "../seed.ts"

const RETAINED = 200
const MILLION = 1_000_000
const BATCH = 5
/** A look takes microseconds: with few a round the turn from one side to the other would be most of what is measured. */
const LOOKS = 50
const TODOS_A_BOARD = 90

/** What the message board's operations cost beside the raw statements under them (spec messages.md §12). */
export async function boardRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const seeded = await seedDataDir(place, "seed")
  const [session = ""] = seeded.sessions
  const calls = await openBoardCalls(bench, seeded.dataDir)
  await calls.post({ session_id: session, kind: "todo", message: "a todo" })
  for (let posted = 1; posted < RETAINED; posted++)
    await calls.post({ session_id: session, kind: "note", message: "x".repeat(200) })
  const raw = openRawBoard((await copyDataDir(place, seeded, "raw")).database, session)
  bench.undo(() => raw.close())
  return [
    await postRow(bench, { calls, raw, session }),
    await completeRow(bench, { calls, raw, sessions: seeded.sessions.slice(1) }),
    ...(await observeRows(bench, { calls, raw, session })),
    await crowdedRow(bench, place, { seeded, calls, session }),
  ]
}

interface Sides {
  readonly calls: BoardCalls
  readonly raw: ReturnType<typeof openRawBoard>
}

async function postRow(bench: Bench, { calls, raw, session }: Sides & { readonly session: string }): Promise<Row> {
  const input = { session_id: session, kind: "note", message: "x".repeat(200) }
  const times = await interleave(
    { subject: repeated(() => calls.post(input)), floor: repeated(async () => raw.post()) },
    { rounds: bench.count(500), batch: BATCH },
  )
  return { name: "Board: post on a full board", unit: "ms", ...times, target: atMost(2) }
}

/** Each completion needs a todo of its own; the fences are taken before. */
async function completeRow(
  bench: Bench,
  { calls, raw, sessions }: Sides & { readonly sessions: readonly string[] },
): Promise<Row> {
  const rounds = bench.count(1_000)
  const ready: object[] = []
  for (const session_id of sessions) {
    for (let made = 0; made < TODOS_A_BOARD; made++) {
      const { message_id } = await calls.post({ session_id, kind: "todo", message: "do it" })
      const { assignment_fence } = await calls.assignment({ session_id, message_id })
      ready.push({
        session_id,
        message_id,
        completion_key: "k",
        answer: "done",
        expected_assignment_fence: assignment_fence,
      })
    }
  }
  raw.addTodos(ready.length)
  const times = await interleave(
    { subject: () => calls.complete(ready.pop() ?? {}), floor: () => raw.complete() },
    { rounds },
  )
  return { name: "Board: complete", unit: "ms", ...times, target: atMost(2.5) }
}

async function observeRows(
  bench: Bench,
  { calls, raw, session }: Sides & { readonly session: string },
): Promise<readonly Row[]> {
  const { observation_token: before } = await calls.observe({ session_id: session })
  for (let posted = 0; posted < 50; posted++)
    await calls.post({ session_id: session, kind: "note", message: "x".repeat(200) })
  const { observation_token: now } = await calls.observe({ session_id: session })
  const looks = await interleave(
    {
      subject: repeated(() => calls.observe({ session_id: session, after_observation_token: now }), LOOKS),
      floor: repeated(async () => raw.look(), LOOKS),
    },
    { rounds: bench.count(1_000), batch: LOOKS },
  )
  const changed = await interleave(
    {
      subject: async () =>
        JSON.stringify(await calls.observe({ session_id: session, after_observation_token: before, limit: 50 })),
      floor: () => raw.newest(50),
    },
    { rounds: bench.count(1_000) },
  )
  return [
    { name: "Board: observe with a token, nothing new", unit: "ms", ...looks, target: atMost(4) },
    { name: "Board: observe 50 changed messages", unit: "ms", ...changed, target: atMost(1.5) },
  ]
}

/** The same look beside a million messages on other boards. */
async function crowdedRow(
  bench: Bench,
  place: Place,
  { seeded, calls, session }: { readonly seeded: Seeded; readonly calls: BoardCalls; readonly session: string },
): Promise<Row> {
  const crowd = await copyDataDir(place, seeded, "crowd")
  fillMessages(crowd.database, { total: bench.count(MILLION), each: RETAINED })
  const crowded = await openBoardCalls(bench, crowd.dataDir)
  const look = async (of: BoardCalls) => {
    const { observation_token } = await of.observe({ session_id: session })
    return repeated(() => of.observe({ session_id: session, after_observation_token: observation_token }), LOOKS)
  }
  const times = await interleave(
    { subject: await look(crowded), floor: await look(calls) },
    { rounds: bench.count(1_000), batch: LOOKS },
  )
  const counted = new Sqlite(crowd.database, { readonly: true })
  const total = counted.prepare<[], { n: number }>("select count(*) as n from session_messages").get()?.n ?? 0
  counted.close()
  return {
    name: `Board: the same beside ${total.toLocaleString("en")} messages`,
    unit: "ms",
    ...times,
    target: atMost(1.2),
  }
}

function repeated(work: () => Promise<unknown>, times = BATCH) {
  return async (): Promise<void> => {
    for (let done = 0; done < times; done++) await work()
  }
}
