import { readdir } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { fenceFileSchema, operatorFence } from "../../../core/shells/fence/policy.ts"
import { openJobs } from "./jobs-under-test.ts"

const fenced = (rules: object) => openJobs({ shells: { fence: operatorFence(fenceFileSchema.parse(rules)) } })

describe("L47: the operator's fence stands around one-shots and Jobs too", () => {
  it("refuses what it names, before anything runs and without a row", async () => {
    await using jobs = await fenced({ deny: ["rm", "shred"], deny_patterns: ["secret-\\w+"] })
    const key = { idempotency_key: "k" }
    const refused: readonly (readonly [string, object, object])[] = [
      ["run_shell", { command: "touch ran; X=1 sudo rm -rf x" }, { rule: "deny", program: "rm" }],
      ["run_job", { command: "touch ran | rm x" }, { rule: "deny", program: "rm" }],
      ["run_script", { language: "sh", script: "touch ran\nrm x\n" }, { rule: "deny", program: "rm" }],
      ["run_script", { language: "bash", script: "touch ran\nx=$(shred y)\n" }, { rule: "deny", program: "shred" }],
      ["run_process", { executable: "/bin/rm", args: ["x"] }, { rule: "deny", program: "rm" }],
      ["run_process", { executable: "env", args: ["-i", "A=1", "rm", "x"] }, { rule: "deny", program: "rm" }],
      ["run_process", { executable: "touch", args: ["secret-x"] }, { rule: "deny_patterns" }],
      ["run_detached_process", { executable: "rm", args: ["x"], ...key }, { rule: "deny", program: "rm" }],
    ]
    for (const [tool, input, details] of refused) {
      const error = await jobs.harness.fails(tool, { project: "demo", ...input })
      expect([tool, input, error]).toMatchObject([
        tool,
        input,
        { kind: "fence_denied", execution_state: "not_started", details },
      ])
      expect(error.message).toContain("advisory")
    }
    expect(await readdir(jobs.root)).toEqual([])
    expect(jobs.harness.dump()).not.toMatch(/wc_job_/)
  })

  it("passes words that only look like programs, and languages that are no shell's", async () => {
    await using jobs = await fenced({ deny: ["rm"] })
    expect((await jobs.shell("echo rm")).output.stdout).toBe("rm\n")
    expect((await jobs.start("run_process", { executable: "echo", args: ["rm", "$(rm)"] })).output.stdout).toBe(
      "rm $(rm)\n",
    )
    const script = { language: "python", script: "print('rm')" }
    expect((await jobs.start("run_script", script)).output.stdout).toBe("rm\n")
  })

  it("an allow list denies a word that is not literal in text; an argument vector has none", async () => {
    await using jobs = await fenced({ allow: ["echo"], builtin: true })
    expect(await jobs.harness.fails("run_shell", { project: "demo", command: "$(echo ls)" })).toMatchObject({
      kind: "fence_denied",
      details: { rule: "allow" },
    })
    expect((await jobs.start("run_process", { executable: "echo", args: ["$x"] })).output.stdout).toBe("$x\n")
    const wipe = { project: "demo", executable: "rm", args: ["-rf", "/"] }
    expect(await jobs.harness.fails("run_process", wipe)).toMatchObject({ details: { rule: "builtin", program: "rm" } })
  })

  it("the place is judged before, the program after", async () => {
    await using jobs = await fenced({ deny: ["nope-xyz"] })
    const kindOf = async (more: object) =>
      (await jobs.harness.fails("run_process", { project: "demo", executable: "nope-xyz", ...more })).kind
    expect(await kindOf({ cwd: "no-folder" })).toBe("cwd_invalid")
    expect(await kindOf({})).toBe("fence_denied")
  })
})
