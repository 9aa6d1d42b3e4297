import { expect, it } from "vitest"
import { createHarness } from "../../support/harness.ts"

it("L1: directory and variables stay, and the id says who made it", async () => {
  await using harness = await createHarness()
  const { session_id, cwd, shell, transport } = await harness.ok("session_create", { transport: "local" })
  expect(session_id).toMatch(/^[0-9a-f]{4}-1_local$/)
  expect([shell, transport, typeof cwd]).toEqual(["bash", "local", "string"])
  const run = (command: string) => harness.ok("session_exec", { session_id, command })
  await run(`mkdir -p ${harness.home}/srv/app`)
  expect(await run(`cd ${harness.home}/srv/app && export ENV=prod`)).toMatchObject({ exit_code: 0, stdout: "" })
  expect(await run("pwd")).toMatchObject({ stdout: `${harness.home}/srv/app`, cwd: `${harness.home}/srv/app` })
  expect(await run("echo $ENV")).toMatchObject({ stdout: "prod" })
})
