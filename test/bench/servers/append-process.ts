import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { callDrafts } from "../call-drafts.ts"
import { loadIds, loadLedger, loadStorage } from "../product.ts"
import { report } from "./report.ts"

// Appends calls to one Session when it is told to: `<data directory> <session> <calls>`.
const [dataDir = "", session = "", calls = "0"] = process.argv.slice(2)
const [{ openStore }, { createLedger }, { createIds }] = await Promise.all([loadStorage(), loadLedger(), loadIds()])
const store = await openStore({ dataDir })
const ledger = createLedger({ ids: createIds(), redact: (text) => text })
const id = sessionIdSchema.parse(session)
const { started, finished } = callDrafts(await store.read((tx) => tx.ledger.all(id)))
process.once("message", async () => {
  for (let done = 0; done < Number(calls); done += 1) {
    await store.write((tx) => ledger.append(tx, id, [{ ...started, at: Date.now() }]))
    await store.write((tx) => ledger.append(tx, id, [{ ...finished, at: Date.now() }]))
  }
  process.send?.("done")
})
report({ port: 0 })
