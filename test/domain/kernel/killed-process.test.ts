import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { createHarness } from "../../support/harness.ts"
import { createTestTools } from "../../support/test-tools.ts"

const SCRIPT = fileURLToPath(new URL("../../support/hanging-process.ts", import.meta.url))

it("K35: after kill -9 every started call gets one end from the next server", async () => {
  const tools = createTestTools()
  await using harness = await createHarness({ tools: tools.definitions })
  const child = spawn(process.execPath, ["--no-warnings", SCRIPT, harness.home, harness.dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  const sessions = JSON.parse(line.toString()) as string[]
  child.kill("SIGKILL")
  await once(child, "exit")

  await harness.startUpkeep()
  const kinds: unknown[] = []
  for (const session of sessions) {
    const events = await harness.callEvents(session)
    expect(events.map((event) => event.kind)).toEqual(["tool_call_started", "tool_call_finished"])
    const [started, finished] = events
    expect(finished).toMatchObject({ call_id: started?.call_id, started_seq: started?.seq, recovered: true })
    kinds.push(finished?.kind === "tool_call_finished" ? finished.error?.kind : undefined)
  }
  expect(kinds).toEqual(["interrupted", "interrupted", "outcome_unknown"])
})
