import { expect, it } from "vitest"
import { startKernel } from "../sessions/kernel-under-test.ts"

it("a Session without a Project cannot be resumed, and the way out that is named works", async () => {
  await using kernel = await startKernel()
  await kernel.project("a")
  const { session_id } = await kernel.ok("start_session", {})
  const { result } = await kernel.call("work_on_project", { instruction: "go on", session_id })
  expect(result).toMatchObject({
    success: false,
    error: {
      kind: "invalid_arguments",
      message:
        "This Session has no Project to continue in. Leave session_id out and name a project, or client_id and path.",
      details: { missing_fields: ["project"] },
    },
  })
  expect(await kernel.ok("work_on_project", { instruction: "go on", project: "a" })).toMatchObject({ project: "a" })
})
