import { openStore } from "../../../adapters/storage/index.ts"

// Opens a data directory and says the installation's key, so that tests see whether all processes agree.
const [dataDir = ""] = process.argv.slice(2)
const store = await openStore({ dataDir })
process.stdout.write(`${await store.instanceKey()}\n`)
await store.close()
