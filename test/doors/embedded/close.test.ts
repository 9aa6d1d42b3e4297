import { readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createHoldfast } from "../../../server/holdfast.ts"
import { eventually } from "../../support/mcp/ledger.ts"
import { makePlace } from "../../support/place.ts"

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("an embedded Holdfast", () => {
  it("ends its running commands when it closes, and then refuses", async () => {
    const place = await makePlace()
    const holdfast = await createHoldfast({
      dataDir: place.dataDir,
      projects: [{ path: place.root, project: "demo" }],
      env: place.env,
    })
    const command = "echo $$ > pid; exec sleep 30"
    const run = await holdfast.client.tools.run_shell({ project: "demo", command }, { timeoutMs: 4_000 })
    expect(run).toMatchObject({ execution_state: "running" })
    const pid = Number(await readFile(path.join(place.root, "pid"), "utf8"))
    expect(lives(pid)).toBe(true)
    await holdfast.close()
    expect(
      await eventually(
        5_000,
        async () => lives(pid),
        (alive) => !alive,
      ),
    ).toBe(false)
    await expect(holdfast.client.tools.list_projects()).rejects.toMatchObject({ kind: "shutting_down" })
    await place.remove()
  })
})
