import { expect, it } from "vitest"
import { createHarness } from "../../support/harness.ts"

it("closing a Session closes its live shell and says so; a repeat has none to close", async () => {
  await using kernel = await createHarness()
  const { project } = await kernel.project("a")
  const { session_id } = await kernel.ok("start_session", { project })
  const { shell_id } = await kernel.ok("open_session_shell", { project, session_id })
  const closed = await kernel.ok("close_session", { session_id })
  expect(closed).toMatchObject({ already_closed: false, shell: { shell_id, state: "closed" } })
  expect(await kernel.ok("session_shell_status", { project, session_id })).toMatchObject({
    shell_id,
    shell_state: "closed",
    close_reason: "session_closed",
  })
  expect(await kernel.ok("close_session", { session_id })).toEqual({
    ...Object.fromEntries(Object.entries(closed).filter(([member]) => member !== "shell")),
    already_closed: true,
  })
})
