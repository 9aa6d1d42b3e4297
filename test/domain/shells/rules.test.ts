import { describe, expect, it } from "vitest"
import { createIds } from "../../../core/kernel/ids.ts"
import { isBelow } from "../../../core/shells/cwd-rule.ts"
import { endedError } from "../../../core/shells/errors.ts"
import { placeOf, ShellNames } from "../../../core/shells/names.ts"
import { placeOfInput } from "../../../core/shells/reach.ts"
import type { ShellTarget } from "../../../core/shells/record.ts"
import type { ShellFacts } from "../../../core/shells/runner.ts"
import { afterCommand, asClosed, asKnown, asMissing, asRecovering } from "../../../core/shells/states.ts"
import { aShell } from "../../contract/store-fixtures.ts"
import { createHarness } from "../../support/harness.ts"

const LOCAL: ShellTarget = { kind: "local", label: "local" }

describe("ids", () => {
  it.each<readonly [ShellTarget, string]>([
    [LOCAL, "local"],
    [{ kind: "ssh", label: "", host: "box.example", user: "me" }, "ssh_me@box.example"],
    [{ kind: "ssh", label: "", host: "box", user: "me", port: 22 }, "ssh_me@box"],
    [{ kind: "ssh", label: "", host: "box", user: "me", port: 2222 }, "ssh_me@box:2222"],
    [{ kind: "ssh", label: "", host: "a b/ü", user: "" }, "ssh__@a_b__"],
    [{ kind: "docker", label: "", container: "x".repeat(60) }, `docker_${"x".repeat(40)}`],
  ])("%j is %s", (target, expected) => {
    expect(placeOf(target)).toBe(expected)
  })

  it("count from 1, and another server process has another name", async () => {
    await using harness = await createHarness()
    const tokens = ["aaaa", "aaaa", "bbbb"].values()
    const ids = { token: () => String(tokens.next().value) }
    const [one, two] = [new ShellNames(ids), new ShellNames(ids)]
    const take = (names: ShellNames) =>
      harness.store.write(async (tx) => {
        const shellId = await names.next(tx, LOCAL)
        await tx.shells.insert(aShell({ shellId, shellUid: createIds().shellUid() }))
        names.spend()
        return shellId
      })
    expect([await take(one), await take(one), await take(two)]).toEqual([
      "aaaa-1_local",
      "aaaa-2_local",
      "bbbb-1_local",
    ])
  })

  it("are not spent by a create that is refused", async () => {
    await using harness = await createHarness()
    const names = new ShellNames({ token: () => "cccc" })
    const next = () => harness.store.write((tx) => names.next(tx, LOCAL))
    expect([await next(), await next()]).toEqual(["cccc-1_local", "cccc-1_local"])
  })
})

describe("states", () => {
  const facts = (more: Partial<ShellFacts> = {}): ShellFacts => ({
    shellUid: aShell().shellUid,
    revision: 1,
    state: "running",
    dialect: "bash",
    generation: 0,
    cwd: "/srv",
    cwdDeleted: false,
    waiting: 0,
    background: [],
    lastUsedAt: 100,
    survivors: [],
    ...more,
  })
  const at = { now: 500, hostId: undefined }

  it("a row learns what its host knows, and nothing when nothing changed", () => {
    const shell = aShell({ state: "opening", initialCwd: "" })
    const known = asKnown(shell, facts({ cwd: "/home/me" }), at)
    expect(known).toMatchObject({ state: "running", initialCwd: "/home/me", lastCwd: "/home/me" })
    if (known === undefined) throw new Error("it changed")
    expect(asKnown(known, facts({ cwd: "/home/me" }), at)).toBeUndefined()
    expect(asKnown(known, facts({ generation: 2 }), at)).toMatchObject({ generation: 2, initialCwd: "/home/me" })
    expect(asKnown(aShell({ generation: 3 }), facts({ generation: 1 }), at)).toMatchObject({ generation: 3 })
  })

  it("an end is final", () => {
    const closed = asClosed(aShell(), "idle", 300)
    expect(closed).toMatchObject({ state: "closed", reason: "idle", closedAt: 300 })
    if (closed === undefined) throw new Error("it was live")
    expect(asClosed(closed, "destroyed", 400)).toBeUndefined()
    expect(asKnown(closed, facts(), at)).toBeUndefined()
    expect(asMissing(closed, 400)).toBeUndefined()
    expect(asKnown(aShell(), facts({ state: "lost", reason: "host_lost", closedAt: 450 }), at)).toMatchObject({
      state: "lost",
      reason: "host_lost",
      closedAt: 450,
    })
  })

  it("what no host holds never started, or is lost", () => {
    expect(asMissing(aShell({ state: "opening" }), 9)).toMatchObject({ state: "closed", reason: "start_failed" })
    expect(asMissing(aShell(), 9)).toMatchObject({ state: "lost", reason: "process_gone", closedAt: 9 })
  })

  it("a host that does not answer leaves a running shell to be found again", () => {
    expect(asRecovering(aShell())).toMatchObject({ state: "recovering" })
    expect(asRecovering(aShell({ state: "opening" }))).toBeUndefined()
    expect(asRecovering(aShell({ state: "closed" }))).toBeUndefined()
    expect(asKnown(aShell({ state: "recovering" }), facts(), at)).toMatchObject({ state: "running" })
  })

  it("a command's end moves the shell on, or closes it", () => {
    const run = { generation: 1, cwd: "/tmp", cwdDeleted: false, lateOutput: [], intTrapReset: false }
    const totals = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0 }
    const ended = {
      jobId: createIds().job(),
      revision: 2,
      state: "ended" as const,
      finishedAt: 700,
      totals: { stdout: totals, stderr: totals },
      outputGap: false,
      outputOpen: false,
      tracking: "session" as const,
      endedBackground: [],
      background: [],
      survivors: [],
    }
    expect(afterCommand(aShell(), { ...ended, shell: run }, 800)).toMatchObject({
      generation: 1,
      lastCwd: "/tmp",
      lastUsedAt: 700,
      state: "running",
    })
    const exited = afterCommand(aShell(), { ...ended, shell: { ...run, shellExited: true } }, 800)
    expect(exited).toMatchObject({ state: "closed", reason: "shell_exited", closedAt: 700 })
    expect(afterCommand(aShell({ state: "closed" }), { ...ended, shell: run }, 800)).toBeUndefined()
  })

  it("each end has its own answer", () => {
    expect(endedError(aShell())).toBeUndefined()
    expect(endedError(aShell({ state: "closed", reason: "idle", closedAt: 5 }))).toMatchObject({
      kind: "shell_closed",
      details: { reason: "idle", closed_at: 5 },
    })
    expect(endedError(aShell({ state: "lost", reason: "machine_restarted", lastCwd: "/srv/x" }))).toMatchObject({
      kind: "shell_lost",
      details: { reason: "machine_restarted", last_cwd: "/srv/x" },
    })
    expect(endedError(aShell({ state: "poisoned" }))).toMatchObject({ kind: "shell_reset_required" })
  })
})

describe("the working directory of a bound shell", () => {
  it.each([
    ["/srv/a", ["/srv/a"], true],
    ["/srv/a/b", ["/srv/a"], true],
    ["/srv/ab", ["/srv/a"], false],
    ["/srv", ["/srv/a"], false],
    ["/etc", ["/"], true],
  ] as const)("%s below %j: %s", (path, roots, expected) => {
    expect(isBelow(path, roots)).toBe(expected)
  })
})

describe("where a free shell runs", () => {
  it("keeps no secret in what is stored", () => {
    const place = placeOfInput({ transport: "ssh", host: "box", user: "me", port: 2200, password: "hunter2hunter2" })
    expect(place.target).toEqual({ kind: "ssh", label: "me@box:2200", host: "box", user: "me", port: 2200 })
    expect(place.reach).toMatchObject({ kind: "ssh", auth: { password: "hunter2hunter2" } })
  })

  it.each([
    [{ transport: "local", workspace: "/w" }, "workspace"],
    [{ transport: "docker", container: "c", host: "box" }, "host"],
    [{ transport: "docker" }, "container"],
    [{ transport: "ssh", host: "box", container: "c" }, "container"],
    [{ transport: "ssh" }, "host"],
    [{ transport: "ssh", host: "-oProxyCommand=x" }, "host"],
    [{ transport: "ssh", host: "box", password: "p", key_path: "k" }, "key_path"],
    [{ transport: "ssh", host: "box", paths: ["a"] }, "workspace"],
  ] as const)("%j is refused for %s", (input, field) => {
    expect(() => placeOfInput(input)).toThrow(expect.objectContaining({ kind: "invalid_arguments" }))
    expect(() => placeOfInput(input)).toThrow(expect.objectContaining({ details: expect.objectContaining({ field }) }))
  })

  it("checkpoints are automatic unless that is switched off", () => {
    const of = (more: object) => placeOfInput({ transport: "docker", container: "c", workspace: "/w", ...more }).reach
    expect(of({})).toMatchObject({ workspace: { path: "/w", paths: [], automatic: true, ignores: [] } })
    expect(of({ auto_snapshot: false, paths: ["a"] })).toMatchObject({ workspace: { automatic: false, paths: ["a"] } })
  })
})
