import { openStore } from "../../../adapters/storage/index.ts"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { aStart } from "../../contract/store-fixtures.ts"

// Appends inside a write transaction that never ends.
const [dataDir = "", session] = process.argv.slice(2)
const store = await openStore({ dataDir })
await store.write(async (tx) => {
  const options = { retained: 2000, repositoryEdited: true }
  await tx.ledger.append(sessionIdSchema.parse(session), [aStart(1)], options)
  process.stdout.write("inside\n")
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
