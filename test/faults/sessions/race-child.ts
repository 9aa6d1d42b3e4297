import fc from "fast-check"
import { run, sessionCommand } from "../../domain/sessions/session-commands.ts"
import { workTools } from "../../domain/sessions/work-tools.ts"
import { createHarness } from "../../support/harness.ts"

// Runs random commands in the named Sessions, as a host's process does: its events say `stdio`.
const [home = "", dataDir = "", count = "0", ...sessions] = process.argv.slice(2)
const harness = await createHarness({ beside: { home, dataDir }, tools: workTools })
const kernel: typeof harness = {
  ...harness,
  call: (tool, input, how) => harness.call(tool, input, { ...how, door: "stdio" }),
}
const size = Number(count)
const [commands = []] = fc.sample(fc.array(sessionCommand, { minLength: size, maxLength: size }), 1)
console.log("begun")
for (const command of commands) await run(kernel, command, sessions)
console.log("done")
await harness[Symbol.asyncDispose]()
