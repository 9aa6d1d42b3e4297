import { execFile } from "node:child_process"
import path from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { growth } from "../../soak/sample.ts"
import { createTally } from "../../soak/tally.ts"
import { REPOSITORY } from "../../support/build.ts"
import { RUNTIME } from "../../support/server-process.ts"

const run = promisify(execFile)

describe("npm run soak", () => {
  it("finds no answer lost, mixed or invented, and nothing left, after 200 executions", async () => {
    const [program, ...before] = RUNTIME
    const { stdout } = await run(program, [...before, path.join(REPOSITORY, "test/soak/run.ts"), "1", "--count", "200"])
    expect(stdout).toMatch(/^first: server \d+ descriptors \d+ MB, host \d+ descriptors \d+ MB, 0 zombies$/m)
    expect(stdout).toMatch(/^last: {2}server \d+ descriptors \d+ MB, host \d+ descriptors \d+ MB, 0 zombies$/m)
    expect(stdout).toMatch(
      /^200 executions \(\d+ in shells, \d+ one-shots\) in \d+ s: 0 wrong, 0 failed, 0 zombies, 0 files left$/m,
    )
  }, 120_000)

  it("says what it wants to be told", async () => {
    const [program, ...before] = RUNTIME
    const end = run(program, [...before, path.join(REPOSITORY, "test/soak/run.ts"), "never"])
    await expect(end).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("npm run soak -- 10") })
  })

  it("counts an answer with anything else in it, and descriptors and zombies that stay", () => {
    const tally = createTally()
    const wanted = { command: "", stdout: "out 1", stderr: "err 1", exit: 7 }
    for (const odd of [{}, { stdout: "" }, { stderr: "err 1\nerr 2" }, { exit: 0 }, { exit: null }]) {
      tally.judge("shell", wanted, { ...wanted, ...odd })
    }
    expect(tally).toMatchObject({ executions: 5, shell: 5, wrong: 4, failed: 0 })
    const held = (descriptors: number) => ({ descriptors, rssMb: 100 })
    const first = { server: held(40), host: held(80), zombies: 0 }
    expect(growth(first, { ...first, host: held(90) })).toEqual([])
    expect(growth(first, { ...first, host: held(140), zombies: 2 })).toEqual([
      "The host holds 140 descriptors, 80 at first.",
      "2 zombies are left.",
    ])
  })
})
