import { openStore } from "../../../adapters/storage/index.ts"
import { createIds, sessionIdSchema } from "../../../core/kernel/ids.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { finishedDraft } from "../ledger/drafts.ts"

/** One of many processes that append recorded reads to one Session: `<data directory> <session> <count>`. */
const [dataDir = "", session = "", count = "0"] = process.argv.slice(2)
const ids = createIds()
const store = await openStore({ dataDir })
const ledger = createLedger({ ids, redact: (text) => text, limits: { retainedEvents: 10_000 } })
const sessionId = sessionIdSchema.parse(session)
for (let read = 0; read < Number(count); read += 1) {
  const finish = finishedDraft({ call_id: ids.call(), invocation_id: ids.invocation() })
  const { at, door, call_id, invocation_id, role, tool_name, effect, activity, facts } = finish
  const { first_seq } = await store.write((tx) =>
    ledger.append(tx, sessionId, [
      { kind: "tool_call_started", at, door, call_id, invocation_id, role, tool_name, effect, activity, facts },
    ]),
  )
  await store.write((tx) => ledger.append(tx, sessionId, [{ ...finish, started_seq: first_seq }]))
}
await store.close()
