import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createAuditLog } from "../../../adapters/audit-log/index.ts"
import { jobIdSchema } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import type { AuditedShell } from "../../../core/shells/audit-log/command-log.ts"
import { createCommandLog } from "../../../core/shells/audit-log/create-command-log.ts"
import type { ExecResult } from "../../../core/shells/exec-schema.ts"

const DAY_MS = 86_400_000
const SHELL: AuditedShell = {
  shellId: "a3f9-1_local",
  createdAt: 1_700_000_000_000,
  family: "free",
  target: { kind: "local", label: "local" },
}
const RESULT: ExecResult = {
  stdout: "out\n",
  stderr: "",
  exit_code: 3,
  duration_ms: 12,
  cwd: "/srv",
  truncated: false,
  timed_out: false,
  job_id: jobIdSchema.parse(`wc_job_${"0".repeat(32)}`),
  execution_state: "completed",
  bytes_total: { stdout: 4, stderr: 0 },
  lines_total: { stdout: 1, stderr: 0 },
}

describe("the audit log", () => {
  let root: string
  const warnings: unknown[] = []
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), "hf-audit-"))
    warnings.length = 0
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  function open(target: string, days = 14) {
    const sink = createAuditLog({ target, days, warn: (error) => warnings.push(error) })
    const secrets = createSecretRegistry([{ name: "OURS", value: "sk-ABCDEFGHIJ" }])
    return { sink, log: createCommandLog({ clock: { now: () => 5 }, secrets, sink }) }
  }
  const linesOf = async (file: string) =>
    (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line))

  it("keeps one line an event in one private file", async () => {
    const file = path.join(root, "log", "commands.jsonl")
    const { sink, log } = open(file)
    log.note(SHELL, { event: "open", shell: "bash", cwd: "/srv" })
    log.note(SHELL, { event: "exec", command: "echo out; exit 3", result: RESULT })
    log.note(SHELL, { event: "blocked", command: "rm x", rule: "deny", program: "rm" })
    log.note(SHELL, { event: "close", reason: "destroyed" })
    await sink.flush()
    const common = { ts: 5, session: "a3f9-1_local", family: "free", transport: "local" }
    expect(await linesOf(file)).toEqual([
      { ...common, event: "open", shell: "bash", cwd: "/srv" },
      { ...common, event: "exec", command: "echo out; exit 3", ...RESULT },
      { ...common, event: "blocked", command: "rm x", rule: "deny", program: "rm" },
      { ...common, event: "close", reason: "destroyed" },
    ])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(warnings).toEqual([])
  })

  it("a restart is an entry of its own, and tokens of waiting calls are none of its business", async () => {
    const file = path.join(root, "log.jsonl")
    const { sink, log } = open(file)
    const restart = { reason: "exited" as const, snapshot: "exit" as const, commands_behind: 0, lost: [] }
    log.note(SHELL, {
      event: "exec",
      command: "exit 3",
      result: { ...RESULT, observation_token: "wjo1_x", shell_restarted: restart },
    })
    await sink.flush()
    const lines = await linesOf(file)
    expect(lines).toMatchObject([{ event: "exec" }, { event: "restart", job_id: RESULT.job_id, ...restart }])
    expect(lines[0]).not.toHaveProperty("observation_token")
    expect(lines[0]).not.toHaveProperty("shell_restarted")
  })

  it("masks registered secrets and those the command spells out, and bounds views", async () => {
    const file = path.join(root, "log.jsonl")
    const { sink, log } = open(file)
    const secret = "hunter2hunter2"
    log.note(SHELL, {
      event: "exec",
      command: `${"x".repeat(1_990)} DB_PASSWORD=${secret}; echo sk-ABCDEFGHIJ`,
      result: { ...RESULT, stdout: `sk-ABCDEFGHIJ ${secret}\n`, stderr: "e".repeat(50_000) },
    })
    await sink.flush()
    const text = await readFile(file, "utf8")
    expect(text).not.toContain("sk-ABC")
    expect(text).not.toContain("hunter")
    const [entry] = await linesOf(file)
    expect(entry).toMatchObject({ stdout: "[redacted:OURS] [redacted:DB_PASSWORD]\n" })
    const shown = entry !== null && typeof entry === "object" && "stderr" in entry ? String(entry.stderr) : ""
    expect(shown.replace(/\n\[.*\]\n/, "")).toHaveLength(4_096)
    expect(shown).toContain("45904 characters left out")
  })

  it("a directory has one file a shell, and each is removed when nothing was added to it for so many days", async () => {
    const directory = `${path.join(root, "logs")}${path.sep}`
    const { sink, log } = open(directory)
    const other = { ...SHELL, shellId: "a3f9-2_ssh_user@host:2222" }
    for (const shell of [SHELL, other, { ...SHELL, shellId: "../x/y" }])
      log.note(shell, { event: "close", reason: "idle" })
    await sink.flush()
    const names = await readdir(directory)
    expect(names.toSorted()).toEqual([
      ".._x_y-1700000000000.jsonl",
      "a3f9-1_local-1700000000000.jsonl",
      "a3f9-2_ssh_user@host:2222-1700000000000.jsonl",
    ])
    await writeFile(path.join(directory, "notes.txt"), "the operator's")
    const now = Date.now()
    const [oldest = "", fresh = "", future = ""] = names.toSorted()
    const setAge = (name: string, ms: number) => utimes(path.join(directory, name), ms / 1000, ms / 1000)
    await setAge(oldest, now - 15 * DAY_MS)
    await setAge("notes.txt", now - 99 * DAY_MS)
    await setAge(fresh, now - 13 * DAY_MS)
    await setAge(future, now + 99 * DAY_MS)
    await open(directory, 0).sink.sweep(now)
    expect(await readdir(directory)).toHaveLength(4)
    await open(directory).sink.sweep(now)
    expect((await readdir(directory)).toSorted()).toEqual([fresh, future, "notes.txt"].toSorted())
  })

  it("a disk that takes nothing is told once, and costs nobody a result", async () => {
    await writeFile(path.join(root, "file"), "")
    const { sink, log } = open(path.join(root, "file", "log.jsonl"))
    for (let index = 0; index < 3; index += 1) {
      expect(() => log.note(SHELL, { event: "close", reason: "idle" })).not.toThrow()
      await sink.flush()
    }
    expect(warnings).toHaveLength(1)
  })

  it("a link is not followed", async () => {
    await writeFile(path.join(root, "elsewhere"), "untouched")
    await symlink(path.join(root, "elsewhere"), path.join(root, "log.jsonl"))
    const { sink, log } = open(path.join(root, "log.jsonl"))
    log.note(SHELL, { event: "close", reason: "idle" })
    await sink.flush()
    expect(await readFile(path.join(root, "elsewhere"), "utf8")).toBe("untouched")
    expect(warnings).toHaveLength(1)
  })
})
