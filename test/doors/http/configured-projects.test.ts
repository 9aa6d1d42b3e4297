import { mkdir } from "node:fs/promises"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { dumpTables } from "../../support/dump-tables.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { startServer } from "../../support/server.ts"

describe("Projects of the configuration file (spec kernel.md §9)", () => {
  let place: Place
  beforeEach(async () => {
    place = await makePlace()
  })
  afterEach(() => place.remove())

  it("raw_shell:false refuses run_shell with 409 before anything starts, in that Project alone", async () => {
    const quiet = path.join(place.home, "quiet")
    await mkdir(quiet)
    await using server = await startServer({
      place,
      config: { projects: [{ path: quiet, project: "quiet", raw_shell: false }] },
    })
    const { output } = await server.call("start_session", { project: "quiet" })
    const command = { project: "quiet", session_id: output["session_id"], command: "touch ran" }
    const refused = await server.post("/tools/run_shell", command)
    expect(refused.status).toBe(409)
    expect(JSON.parse(await refused.text())).toMatchObject({
      success: false,
      error: {
        kind: "capability_unavailable",
        recovery: "none",
        execution_state: "not_started",
        details: { reason: "raw_shell" },
      },
    })
    expect(await server.call("read_files", { project: "quiet", items: [{ path: "ran" }] })).toMatchObject({
      error: { kind: "all_items_failed" },
    })
    expect(await server.call("run_shell", { project: server.project, command: "echo runs" })).toMatchObject({
      output: { stdout: "runs\n" },
    })
  })

  it("a profile's variables stand after env_set and before those of the call, and in no table", async () => {
    const env = [
      { name: "PAGER", value: "profile pager" },
      { name: "WHERE", value: "profile value" },
      { name: "WHO", value: "profile name" },
    ]
    await using server = await startServer({
      place,
      config: {
        env_set: [
          { name: "WHERE", value: "everywhere" },
          { name: "ALL", value: "everybody" },
        ],
        projects: [{ path: place.root, profile: { env } }],
      },
    })
    const { output } = await server.call("run_shell", {
      project: server.project,
      command: 'echo "$PAGER,$WHERE,$WHO,$ALL"',
      env: [{ name: "WHO", value: "call" }],
    })
    expect(output["stdout"]).toBe("profile pager,profile value,call,everybody\n")
    expect(JSON.stringify(await dumpTables(server.dataDir))).not.toContain("profile value")
  })
})
