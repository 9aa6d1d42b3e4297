import { storeContract } from "./store.ts"
import { sqliteUnderTest } from "./store-sqlite.ts"

storeContract("SQLite", sqliteUnderTest)
