import { openStore } from "../../adapters/storage/index.ts"
import { sessionIdSchema } from "../../core/kernel/ids.ts"
import { aStart } from "./store-fixtures.ts"

// Appends events one transaction each; says the seq of each once it is committed when asked to.
const [dataDir = "", session, count = "1", tell] = process.argv.slice(2)
const sessionId = sessionIdSchema.parse(session)
const store = await openStore({ dataDir })
for (let at = 1; at <= Number(count); at += 1) {
  const options = { retained: 100_000, repositoryEdited: false }
  const { last_seq } = await store.write((tx) => tx.ledger.append(sessionId, [aStart(at)], options))
  if (tell === "tell") process.stdout.write(`${last_seq}\n`)
}
await store.close()
process.stdout.write("done\n")
