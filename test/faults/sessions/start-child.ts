import { createHarness } from "../../support/harness.ts"

// Starts a Session, tells its id as soon as the reply is there, and stays.
const [home = "", dataDir = ""] = process.argv.slice(2)
const harness = await createHarness({ beside: { home, dataDir } })
await harness.startUpkeep()
console.log(await harness.session({ title: "started before the kill" }))
await new Promise((resolve) => setTimeout(resolve, 60_000))
