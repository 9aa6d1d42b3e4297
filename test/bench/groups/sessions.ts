import { statSync } from "node:fs"
import path from "node:path"
import Sqlite from "better-sqlite3"
import { ask, startHttpChild } from "../children.ts"
import { interleave } from "../measure.ts"
import { copyDataDir, makePlace, type Place, type Seeded, seedDataDir } from "../place.ts"
import { loadHoldfast, loadStorage } from "../product.ts"
import { atLeast, atMost, type Row, shown } from "../row.ts"
import type { Bench } from "../scope.ts"
import { fillEvents } from "../seed.ts"

const MANY = 1_000
const RETAINED = 2_000
const FEW = 100

/** What reading and appending cost beside long histories and many other Sessions (spec sessions.md §11). */
export async function sessionRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const seeded = await seedDataDir(place, "seed")
  return [
    ...(await summaryRows(bench, place, seeded)),
    ...(await listRows(bench, place, seeded)),
    await sizeRow(place, seeded),
    await processesRow(bench, place, seeded),
    await startRow(bench, place, seeded),
  ]
}

type Filling = Parameters<typeof fillEvents>[1]

/** A copy with further Sessions, opened as an embedding program does. */
async function filled(
  bench: Bench,
  place: Place,
  { seeded, name, ...filling }: Filling & { readonly seeded: Seeded; readonly name: string },
) {
  const copy = await copyDataDir(place, seeded, name)
  const { sessions } = fillEvents(copy.database, filling)
  const { createHoldfast } = await loadHoldfast()
  const holdfast = await createHoldfast({ dataDir: copy.dataDir, env: process.env })
  bench.undo(() => holdfast.close())
  const [session_id = ""] = sessions
  return {
    database: copy.database,
    summary: () => holdfast.client.tools.session_summary({ session_id, limit: 50 }),
    list: () => holdfast.client.tools.list_sessions({ limit: 50 }),
  }
}

async function summaryRows(bench: Bench, place: Place, seeded: Seeded): Promise<readonly Row[]> {
  const few = await filled(bench, place, { seeded, name: "few", sessions: 1, eventsEach: FEW })
  const long = await filled(bench, place, { seeded, name: "long", sessions: 1, eventsEach: RETAINED })
  const crowd = await filled(bench, place, { seeded, name: "crowd", sessions: MANY + 1, eventsEach: FEW })
  const raw = new Sqlite(long.database, { readonly: true })
  bench.undo(() => raw.close())
  const count = raw.prepare("select count(*) from session_events where session_id = 'wc_sess_0000000000000000'")
  const times = await interleave(
    { few: few.summary, long: long.summary, crowd: crowd.summary, count: () => count.get() },
    { rounds: bench.count(400) },
  )
  return [
    {
      name: "session_summary of 2,000 events, less the count of their index rows, beside one of 100",
      unit: "ms",
      subject: times.long - times.count,
      floor: times.few,
      target: atMost(1.2),
    },
    {
      name: "session_summary beside 1,000 other Sessions",
      unit: "ms",
      subject: times.crowd,
      floor: times.few,
      target: atMost(1.2),
    },
  ]
}

async function listRows(bench: Bench, place: Place, seeded: Seeded): Promise<readonly Row[]> {
  const few = await filled(bench, place, { seeded, name: "list-few", sessions: 50, eventsEach: 2 })
  const many = await filled(bench, place, { seeded, name: "list-many", sessions: MANY, eventsEach: 2 })
  const raw = new Sqlite(many.database, { readonly: true })
  bench.undo(() => raw.close())
  const { openStore } = await loadStorage()
  const store = await openStore({ dataDir: path.dirname(many.database) })
  bench.undo(() => store.close())
  const owner =
    raw.prepare<[], { owner: string }>("select owner_authority_fingerprint as owner from sessions").get()?.owner ?? ""
  const select = raw.prepare(
    `select * from sessions where owner_authority_fingerprint = ? and lifecycle = 'active'
     order by updated_at desc, session_id limit 50`,
  )
  const page = () => store.read((tx) => tx.sessions.page({ ownerFingerprint: owner, slugs: "*", limit: 50 }))
  const times = await interleave(
    { few: few.list, many: many.list, page, raw: () => select.all(owner) },
    { rounds: bench.count(400) },
  )
  return [
    { name: "Page of 50 of 1,000 Sessions", unit: "ms", subject: times.page, floor: times.raw, target: atMost(3) },
    { name: "list_sessions: the same as a call", unit: "ms", subject: times.many, floor: times.raw, target: shown },
    {
      name: "list_sessions: 50 of 1,000 Sessions beside 50 of 50",
      unit: "ms",
      subject: times.many,
      floor: times.few,
      target: atMost(1.2),
    },
  ]
}

/** What an event adds to the file, beside all its columns as JSON. */
async function sizeRow(place: Place, seeded: Seeded): Promise<Row> {
  const copy = await copyDataDir(place, seeded, "size")
  const bytes = (): number => statSync(copy.database).size
  const before = bytes()
  const events = 5 * RETAINED
  fillEvents(copy.database, { sessions: 5, eventsEach: RETAINED })
  const raw = new Sqlite(copy.database, { readonly: true })
  const rows = raw.prepare("select * from session_events where session_id = 'wc_sess_0000000000000000'").all()
  raw.close()
  const asJson = rows.reduce<number>((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0) / rows.length
  return {
    name: "Stored bytes of an event",
    unit: "bytes",
    subject: (bytes() - before) / events,
    floor: asJson,
    target: atMost(1.3),
  }
}

const PROCESSES = 8

/** Calls appended a second by eight processes to one Session, beside one process that appends as many. */
async function processesRow(bench: Bench, place: Place, seeded: Seeded): Promise<Row> {
  const calls = bench.count(4_000)
  const rate = async (processes: number): Promise<number> => {
    const copy = await copyDataDir(place, seeded, `processes-${processes}`)
    const args = [copy.dataDir, copy.sessions[0] ?? "", String(calls / processes)]
    const started = Array.from({ length: processes }, () => startHttpChild(bench, "append-process.ts", { args }))
    const children = await Promise.all(started)
    const at = performance.now()
    await Promise.all(children.map(({ child }) => ask(child, "go")))
    return (calls / (performance.now() - at)) * 1_000
  }
  const floor = await rate(1)
  return {
    name: "Calls appended to one Session by 8 processes, beside one",
    unit: "calls/s",
    subject: await rate(PROCESSES),
    floor,
    target: atLeast(0.5),
  }
}

/** An embedded start, with 1,000 Sessions of 2,000 events and without any. */
async function startRow(bench: Bench, place: Place, seeded: Seeded): Promise<Row> {
  const full = await copyDataDir(place, seeded, "start-full")
  fillEvents(full.database, { sessions: bench.count(MANY), eventsEach: RETAINED })
  const { createHoldfast } = await loadHoldfast()
  const start = async (dataDir: string): Promise<void> => {
    const holdfast = await createHoldfast({ dataDir, env: process.env })
    opened.push(holdfast)
  }
  const opened: Awaited<ReturnType<typeof createHoldfast>>[] = []
  const closeAll = async (): Promise<void> => {
    for (const holdfast of opened.splice(0)) await holdfast.close()
  }
  const times = await interleave(
    { full: () => start(full.dataDir), fullEnd: closeAll, empty: () => start(seeded.dataDir), emptyEnd: closeAll },
    { rounds: bench.quick ? 5 : 20 },
  )
  return {
    name: "Start beside 1,000 Sessions of 2,000 events",
    unit: "ms",
    subject: times.full,
    floor: times.empty,
    target: atMost(1.2),
  }
}
