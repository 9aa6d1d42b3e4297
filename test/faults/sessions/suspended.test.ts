import { expect, it } from "vitest"
import { FakeClock } from "../../support/fake-clock.ts"
import { createHarness } from "../../support/harness.ts"
import { startChild } from "./children.ts"
import { longTool } from "./long-tool.ts"

const RENEWAL_MS = 10_000

it("S37: a process that was suspended tells its caller the true result and adds nothing to what recovery told", {
  timeout: 60_000,
}, async () => {
  const tools = [longTool(() => undefined, Promise.resolve())]
  await using place = await createHarness({ tools })
  const session_id = await place.session()
  await using child = startChild("suspended-child.ts", place, session_id)
  await child.line((line) => line === "inside")
  // Whatever its start still stores must be over: a process that is suspended inside a transaction keeps the lock.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  child.process.kill("SIGSTOP")

  // Only the other process's clock goes on by a minute: what it sees is an instance without a sign of life.
  const clock = new FakeClock(Date.now())
  await using other = await createHarness({ beside: place, tools, clock })
  const upkeep = await other.startUpkeep()
  for (let renewals = 0; renewals < 6; renewals += 1) {
    await clock.advance(RENEWAL_MS)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  await upkeep.recover()
  const told = await place.callEvents(session_id)
  expect(told).toMatchObject([
    { kind: "tool_call_started" },
    { kind: "tool_call_finished", status: "failed", recovered: true, door: "system" },
  ])

  child.process.kill("SIGCONT")
  child.process.stdin?.write("go on\n")
  const reply = await child.line((line) => line.startsWith("{"))
  expect(JSON.parse(reply)).toMatchObject({
    success: true,
    output: { text: "the true result" },
    attached: { session_record: { session_id, recorded: false, reason: "recovered" } },
  })
  await child.ended
  expect(await place.callEvents(session_id)).toEqual(told)
})
