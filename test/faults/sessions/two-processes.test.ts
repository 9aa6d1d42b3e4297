import fc from "fast-check"
import { expect, it } from "vitest"
import { run, sessionCommand } from "../../domain/sessions/session-commands.ts"
import { checkSession } from "../../domain/sessions/session-invariants.ts"
import { workTools } from "../../domain/sessions/work-tools.ts"
import { createHarness } from "../../support/harness.ts"
import { startChild } from "./children.ts"

const COMMANDS = 60

it("S-I1 – S-I5, S-I10: hold while another process works in the same Sessions", { timeout: 120_000 }, async () => {
  await using kernel = await createHarness({ tools: workTools })
  await kernel.project("a")
  const sessions: string[] = []
  for (let count = 0; count < 6; count += 1) sessions.push(await kernel.session({ project: "a" }))
  await using child = startChild("race-child.ts", kernel, String(COMMANDS), ...sessions)
  await child.line((line) => line === "begun")
  const [commands = []] = fc.sample(fc.array(sessionCommand, { minLength: COMMANDS, maxLength: COMMANDS }), 1)
  for (const command of commands) {
    const made = await run(kernel, command, sessions)
    if (made !== undefined) sessions.push(made)
  }
  await child.ended
  expect(child.lines.at(-1)).toBe("done")
  for (const id of sessions) await checkSession(kernel, id, 2_000)
  const authors = new Set(
    (await Promise.all(sessions.map((id) => kernel.events(id)))).flat().map((event) => "door" in event && event.door),
  )
  expect(authors).toEqual(new Set(["embedded", "stdio"]))
})
