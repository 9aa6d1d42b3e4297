import { readFile } from "node:fs/promises"
import path from "node:path"
import { PassThrough } from "node:stream"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { main } from "../../../server/cli/main.ts"
import { createHoldfast, type Holdfast } from "../../../server/holdfast.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { oneSentence, runInProcess } from "./run-holdfast.ts"

describe("holdfast sessions", () => {
  let place: Place
  let holdfast: Holdfast
  beforeEach(async () => {
    place = await makePlace()
    holdfast = await createHoldfast({
      dataDir: place.dataDir,
      projects: [{ path: place.root, project: "demo" }],
      env: place.env,
    })
  })
  afterEach(async () => {
    await holdfast.close()
    await place.remove()
  })

  const run = (...args: readonly string[]) => runInProcess(place, ["sessions", ...args])
  const json = async (...args: readonly string[]) => JSON.parse((await run(...args, "--json")).stdout)

  /** A Session that did something: a read, a refused edit, new defaults. */
  async function worked(): Promise<string> {
    const { tools } = holdfast.client
    const { session_id } = await tools.start_session({ project: "demo", title: "fix the \u202Eparser" })
    await tools.read_files({ project: "demo", session_id, items: [{ path: "notes.txt" }] })
    const edit = {
      kind: "edit" as const,
      path: "notes.txt",
      edits: [{ kind: "replace_exact" as const, old_text: "none", new_text: "x" }],
    }
    await expect(tools.apply_text_edits({ project: "demo", session_id, changes: [edit] })).rejects.toThrow()
    await tools.update_session_context({ project: "demo", session_id, execution_context: { default_cwd: "src" } })
    return session_id
  }

  /** On a terminal, as a person sees it. */
  async function onTerminal(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const stdout = Object.assign(new PassThrough().setEncoding("utf8"), { isTTY: true })
    await main(["sessions", ...args], {
      stdout,
      stderr: new PassThrough(),
      stdin: new PassThrough(),
      env: { ...place.env, HOLDFAST_DATA_DIR: place.dataDir, ...env },
      cwd: place.root,
      launch: ["holdfast"],
    })
    return String(stdout.read() ?? "")
  }

  it("list shows every group's Sessions as a table or JSON, the owner as a kind", async () => {
    const id = await worked()
    const eve = { kind: "user", id: "user:eve", name: "eve" } as const
    const { session_id } = await holdfast.as({ principal: eve }).tools.start_session({})
    expect((await run("list")).stdout).toMatch(new RegExp(`${session_id} +- +active +normal +unknown `))
    await runInProcess(place, ["user", "add", "eve"])
    const { code, stdout } = await run("list")
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split("\n")
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^ID +PROJECT +STATE +MODE +OWNER +EVENTS +LAST CHANGE +TITLE$/)
    expect(stdout).toMatch(new RegExp(`${id} +demo +active +normal +local +6 +\\S+ \\S+ +fix the parser`))
    expect(stdout).toMatch(new RegExp(`${session_id} +- +active +normal +user `))
    expect(stdout).not.toMatch(/[0-9a-f]{64}|eve/)
    const { sessions, total } = await json("list", "--project", "demo")
    expect({ total, ids: sessions.map((one: { session_id: string }) => one.session_id) }).toEqual({
      total: 1,
      ids: [id],
    })
    const nothing = { guidance: 0, question: 0, todo: 0, risk: 0 }
    expect(sessions[0]).toMatchObject({ open_counts: nothing, ack_required_open: 0 })
    expect((await json("list", "--lifecycle", "closed")).total).toBe(0)
    expect((await json("list", "--limit", "1")).sessions).toHaveLength(1)
  })

  it("show tells state, counts and a timeline; tail the timeline alone", async () => {
    const id = await worked()
    const { stdout } = await run("show", id)
    expect(stdout).toMatch(/^state +active, normal$/m)
    expect(stdout).toMatch(/^calls +2: 1 ok, 1 failed \(0 refused, 0 with unknown outcome\)$/m)
    expect(stdout).toMatch(/^defaults +default_cwd src$/m)
    const tail = (await run("tail", id)).stdout.trimEnd().split("\n")
    expect(tail).toHaveLength(6)
    expect(tail[0]).toMatch(/^ {5}1 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Session started, normal: fix the parser$/)
    expect(tail[2]).toMatch(/ {2}read_files ok in \d+ ms, read notes\.txt$/)
    expect(tail[4]).toMatch(/ {2}apply_text_edits FAILED \w+ in \d+ ms$/)
    expect(tail[5]).toMatch(/ {2}defaults: cwd src$/)
    expect(stdout.trimEnd().endsWith(tail.join("\n"))).toBe(true)
    expect((await run("tail", id, "--lines", "2")).stdout.trimEnd().split("\n")).toEqual(tail.slice(-2))
    expect(await json("show", id)).toMatchObject({ session_id: id, owner: "local", events_total: 6 })
  })

  it("show tells what goes on: Jobs that have not ended and what is open on the board", async () => {
    const { tools } = holdfast.client
    const { session_id } = await tools.start_session({ project: "demo" })
    const quiet = (await run("show", session_id)).stdout
    expect(quiet).toMatch(/^in flight +0\nlive Jobs +0\nboard +nothing open; 0 held$/m)
    await tools.post_session_message({ session_id, kind: "todo", message: "look", requires_ack: true })
    await tools.post_session_message({ session_id, kind: "question", message: "why" })
    const { job_id } = await tools.run_job({ project: "demo", session_id, command: "sleep 60" })
    const { stdout } = await run("show", session_id)
    expect(stdout).toMatch(
      new RegExp(
        `^live Jobs +1: run_job ${job_id} \\((queued|running)\\)\nboard +open: 1 question, 1 todo, 1 until resolved; 2 held$`,
        "m",
      ),
    )
    expect(await json("show", session_id)).toMatchObject({ live_jobs: [{ job_id, tool: "run_job" }] })
    await tools.stop_job({ job_id, confirm: true })
    expect((await run("show", session_id)).stdout).toMatch(/^live Jobs +0$/m)
  })

  it("colours only on a terminal, and there not with NO_COLOR", async () => {
    const id = await worked()
    expect(await onTerminal(["tail", id])).toContain("\u001b[32mread_files ok")
    expect(await onTerminal(["list"])).toContain("\u001b[1mID")
    expect(await onTerminal(["tail", id], { NO_COLOR: "1" })).not.toContain("\u001b")
    for (const command of ["show", "tail", "export"]) expect((await run(command, id)).stdout).not.toContain("\u001b")
  })

  it("export is JSON Lines: the Session, its events in order, then its messages", async () => {
    const id = await worked()
    const post = { session_id: id, kind: "todo" as const, message: "look at it", tags: ["later"] }
    const { message_id } = await holdfast.client.tools.post_session_message(post)
    const lines = (await run("export", id)).stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({
      type: "session",
      session_id: id,
      project: "demo",
      owner: "local",
      events_total: 6,
    })
    const events = lines.slice(1).filter(({ type }) => type === "event")
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    expect(lines.at(-1)).toMatchObject({
      type: "message",
      message_id,
      kind: "todo",
      message: "look at it",
      tags: ["later"],
    })
    expect(lines[3]).toMatchObject({
      kind: "tool_call_finished",
      tool_name: "read_files",
      observed_paths: ["notes.txt"],
    })
  })

  it("masks secrets of the reader's environment, as every reader does", async () => {
    const { session_id } = await holdfast.client.tools.start_session({ title: "uses zq-LITERAL-77 here" })
    const shown = await onTerminal(["export", session_id], { MY_TOKEN: "zq-LITERAL-77" })
    expect(shown).not.toContain("zq-LITERAL-77")
    expect(shown.split("[redacted:MY_TOKEN]")).toHaveLength(3)
  })

  it("expire removes a closed Session and refuses an active one", async () => {
    const { session_id } = await holdfast.client.tools.start_session({})
    const refused = await run("expire", session_id)
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(oneSentence) })
    await holdfast.client.tools.close_session({ session_id })
    expect(await run("expire", session_id)).toMatchObject({ code: 0, stdout: `${session_id} has expired.\n` })
    expect(await run("expire", session_id)).toMatchObject({ code: 1, stderr: expect.stringMatching(oneSentence) })
    await expect(holdfast.client.tools.session_summary({ session_id })).rejects.toMatchObject({
      kind: "unknown_session_id",
      details: { reason: "expired" },
    })
  })

  it("reading changes nothing in the data directory", async () => {
    const id = await worked()
    const before = JSON.stringify(await json("show", id))
    for (const command of ["list", "show", "tail", "export"]) await run(command, ...(command === "list" ? [] : [id]))
    expect(JSON.stringify(await json("show", id))).toBe(before)
  })

  it("an unknown id is a failure, one of another form and a bad flag are usage, each one sentence", async () => {
    const unknown = await run("show", "wc_sess_0123456789abcdef")
    expect(unknown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(oneSentence) })
    for (const args of [
      ["show", "x"],
      ["tail", "wc_sess_0123456789abcdef", "--lines", "0"],
      ["list", "--lifecycle", "odd"],
      ["list", "--project", "nope"],
    ]) {
      expect(await run(...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(oneSentence) })
    }
    expect((await run("show", "x")).stderr).toContain("must be the id of a Session as the list shows it")
    for (const limit of ["few", "0", "2001"]) {
      expect((await run("list", "--limit", limit)).stderr).toBe(
        "holdfast: Bad value for limit: it must be a whole number from 1 to 2000.\n",
      )
    }
    const nowhere = await runInProcess({ ...place, dataDir: path.join(place.home, "none") }, ["sessions", "list"])
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringMatching(oneSentence) })
    await expect(readFile(path.join(place.home, "none"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("tail --follow goes on with new events until it is stopped", async () => {
    const id = await worked()
    const stdout = new PassThrough().setEncoding("utf8")
    const ended = main(["sessions", "tail", id, "--lines", "1", "--follow"], {
      stdout,
      stderr: new PassThrough(),
      stdin: new PassThrough(),
      env: { ...place.env, HOLDFAST_DATA_DIR: place.dataDir },
      cwd: place.root,
      launch: ["holdfast"],
    })
    let text = ""
    stdout.on("data", (chunk) => {
      text += chunk
    })
    await expect.poll(() => text, { timeout: 10_000 }).toContain("defaults: cwd src")
    await holdfast.client.tools.close_session({ session_id: id })
    await expect.poll(() => text, { timeout: 10_000 }).toContain("Session closed")
    process.emit("SIGINT")
    expect(await ended).toBe(0)
    expect(text.trimEnd().split("\n")).toHaveLength(2)
  })
})
