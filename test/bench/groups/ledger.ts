import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { callDrafts } from "../call-drafts.ts"
import { interleave } from "../measure.ts"
import { copyDataDir, makePlace, type Seeded, seedDataDir } from "../place.ts"
import { loadIds, loadLedger, loadStorage } from "../product.ts"
import { openRawLedger } from "../raw-ledger.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { fillEvents } from "../seed.ts"

/** Fixed (spec sessions.md §1.3). */
const RETAINED = 2000
const BATCH = 5
const SEVERAL = 20

/** Start and finish of one call against raw better-sqlite3, and the same in fuller files (spec sessions.md §11). */
export async function ledgerRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const seeded = await seedDataDir(place, "floor")
  const few = await copyDataDir(place, seeded, "few")
  const full = await copyDataDir(place, seeded, "full")
  const events = fillEvents(full.database, { sessions: bench.count(500), eventsEach: RETAINED })
  const raw = openRawLedger(seeded.database)
  bench.undo(() => raw.close())
  // Two events a call, Sessions in turn: all but one side stay below the cap.
  const pace = { rounds: bench.count(700), warmup: bench.count(300), batch: BATCH }
  const inFew = await openAppender(bench, few, seeded.sessions)
  const inFull = await openAppender(bench, full, seeded.sessions)
  const first = await interleave({ subject: times(inFew), floor: times(async () => raw.recordCall()) }, pace)
  const atCap = await openAppender(bench, full, events.sessions.slice(0, SEVERAL))
  const below = await openAppender(bench, await copyDataDir(place, seeded, "below"), seeded.sessions)
  const fuller = await interleave({ full: times(inFull), capped: times(atCap), below: times(below) }, pace)
  return [
    { name: "Ledger: start and finish of one call", unit: "ms", ...first, target: atMost(2) },
    {
      name: `Ledger: the same beside ${events.total.toLocaleString("en")} events`,
      unit: "ms",
      subject: fuller.full,
      floor: fuller.below,
      target: atMost(1.2),
    },
    {
      name: "Ledger: the same at the retention cap",
      unit: "ms",
      subject: fuller.capped,
      floor: fuller.full,
      target: atMost(1.3),
    },
  ]
}

type Append = () => Promise<void>

/** Appends both events of one call in two transactions, through the product's store and ledger. */
async function openAppender(bench: Bench, { dataDir }: Seeded, sessions: readonly string[]): Promise<Append> {
  const [{ openStore }, { createLedger }, { createIds }] = await Promise.all([loadStorage(), loadLedger(), loadIds()])
  const store = await openStore({ dataDir })
  bench.undo(() => store.close())
  const ids = sessions.map((session) => sessionIdSchema.parse(session))
  const [model] = ids
  if (model === undefined) throw new Error("There is no Session to append to.")
  const ledger = createLedger({ ids: createIds(), redact: (text) => text, limits: { retainedEvents: RETAINED } })
  const { started, finished } = callDrafts(await store.read((tx) => tx.ledger.all(model)))
  let turn = 0
  return async () => {
    turn += 1
    const id = ids[turn % ids.length] ?? model
    await store.write((tx) => ledger.append(tx, id, [{ ...started, at: Date.now() }]))
    await store.write((tx) => ledger.append(tx, id, [{ ...finished, at: Date.now() }]))
  }
}

function times(work: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (let done = 0; done < BATCH; done++) await work()
  }
}
