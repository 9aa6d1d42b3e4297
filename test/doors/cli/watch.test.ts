import { spawn } from "node:child_process"
import { PassThrough } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { main } from "../../../server/cli/main.ts"
import { Board } from "../../../server/cli/watch/board.ts"
import { layOut } from "../../../server/cli/watch/layout.ts"
import { Transcript } from "../../../server/cli/watch/transcript.ts"
import type { WireEvent } from "../../../server/cli/watch/wire-event.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { oneSentence, runInProcess } from "./run-holdfast.ts"

const POLL = { timeout: 15_000 }

describe("holdfast watch", () => {
  let place: Place
  let server: TestServer
  beforeAll(async () => {
    place = await makePlace()
    server = await startServer({ place })
  })
  afterAll(async () => {
    await server.close()
    await place.remove()
  })

  /** A watch that runs in this process until it is stopped; `isTTY`: on a terminal of 80 × 12. */
  function watch(args: readonly string[], isTTY = false) {
    const stdout = Object.assign(new PassThrough(), isTTY ? { isTTY, columns: 80, rows: 12 } : {})
    const stderr = Object.assign(new PassThrough(), { isTTY })
    const stdin = new PassThrough()
    let text = ""
    let notes = ""
    stdout.on("data", (chunk) => (text += String(chunk)))
    stderr.on("data", (chunk) => (notes += String(chunk)))
    const env = { ...place.env, HOLDFAST_DATA_DIR: place.dataDir }
    const terminal = { stdout, stderr, stdin, env, cwd: place.root, launch: ["holdfast"] as const }
    const ended = main(["watch", ...args, "--url", server.url], terminal)
    return { ended, stdin, text: () => text, notes: () => notes, lines: () => text.trimEnd().split("\n") }
  }
  const runShell = async (command: string) =>
    String((await server.call("run_shell", { project: "demo", command })).output["job_id"])

  /** Resolves when the watch is connected: it tells no command that ended before. */
  const seeing = (text: () => string) =>
    expect
      .poll(async () => {
        await runShell("true")
        return text()
      }, POLL)
      .toContain("$ true")

  it("prints plain lines where no terminal is, each with the id of its shell or command", async () => {
    const watching = watch([])
    await seeing(watching.text)
    const { output } = await server.call("session_create", { transport: "local", cwd: server.root })
    const shell = String(output["session_id"])
    await server.call("session_exec", { session_id: shell, command: "printf 'a\\033[31mb\\n'; printf 'last'" })
    const jobId = await runShell("echo err >&2; exit 3")
    await server.call("session_destroy", { session_id: shell })
    await expect.poll(watching.text, POLL).toContain(`[${shell}] closed: destroyed`)
    await expect.poll(watching.text, POLL).toContain(`[${jobId}] = exit 3`)
    process.emit("SIGINT")
    expect(await watching.ended).toBe(0)
    expect(watching.lines().filter((line) => line.startsWith(`[${shell}] `))).toEqual([
      `[${shell}] opened bash in ${server.root}`,
      `[${shell}] $ printf 'a\\033[31mb\\n'; printf 'last'`,
      `[${shell}] ab`,
      `[${shell}] last`,
      `[${shell}] = exit 0`,
      `[${shell}] closed: destroyed`,
    ])
    expect(watching.lines().filter((line) => line.startsWith(`[${jobId}] `))).toEqual([
      `[${jobId}] $ echo err >&2; exit 3`,
      `[${jobId}] err`,
      `[${jobId}] = exit 3`,
    ])
    expect(watching.text()).not.toContain("\u001b")
  })

  it("--json prints the events, of named ids alone", async () => {
    const { output } = await server.call("session_create", { transport: "local" })
    const shell = String(output["session_id"])
    const watching = watch([shell, "--json"])
    await expect.poll(watching.text, POLL).toContain("shell_opened")
    await runShell("echo elsewhere")
    await server.call("session_exec", { session_id: shell, command: "echo here" })
    await expect.poll(watching.text, POLL).toContain("command_ended")
    process.emit("SIGINT")
    expect(await watching.ended).toBe(0)
    const events = watching.lines().map((line): Record<string, unknown> => JSON.parse(line))
    expect(events.map(({ event }) => event)).toEqual(["shell_opened", "command_started", "output", "command_ended"])
    expect(events.every(({ shell_id }) => shell_id === shell)).toBe(true)
    expect(events[2]).toMatchObject({ text: "here\n", stream: "stdout" })
    await server.call("session_destroy", { session_id: shell })
  })

  it("shows a list and a transcript on a terminal, and leaves it as it was", async () => {
    const { output } = await server.call("session_create", { transport: "local" })
    const shell = String(output["session_id"])
    const watching = watch([], true)
    await expect.poll(watching.text, POLL).toContain(shell)
    await server.call("session_exec", { session_id: shell, command: "echo on the screen" })
    await expect.poll(watching.text, POLL).toContain("on the screen")
    expect(watching.text().startsWith("\u001b[?1049h")).toBe(true)
    watching.stdin.write("q")
    expect(await watching.ended).toBe(0)
    expect(watching.text().endsWith("\u001b[?1049l")).toBe(true)
    await server.call("session_destroy", { session_id: shell })
  })

  it("says on a terminal what it follows and that nothing runs, before anything does", async () => {
    const watching = watch(["--follow"], true)
    await expect
      .poll(watching.notes, POLL)
      .toBe(`Following live shells and Jobs at ${server.url}. Ctrl-C ends.\nNothing runs yet.\n`)
    expect(watching.text()).toBe("")
    await seeing(watching.text)
    process.emit("SIGINT")
    expect(await watching.ended).toBe(0)
    expect(watching.notes().split("\n")).toHaveLength(3)
    const { output } = await server.call("session_create", { transport: "local" })
    const shell = String(output["session_id"])
    const named = watch([shell], true)
    const shown = () => stripVTControlCharacters(named.text())
    await expect.poll(shown, POLL).toContain(`opened bash`)
    expect(shown().replaceAll(/\s+│\s+|\r\n\s*/g, "")).toContain(`Following ${shell} at ${server.url}.`)
    named.stdin.write("q")
    expect(await named.ended).toBe(0)
    await server.call("session_destroy", { session_id: shell })
  })

  it("refuses an id that nobody knows, and what has ended, in one sentence", async () => {
    const over = await runShell("true")
    const { output } = await server.call("session_create", { transport: "local", cwd: server.root })
    const shell = String(output["session_id"])
    await server.call("session_exec", { session_id: shell, command: "cd /" })
    const refusal = async (...ids: readonly string[]) => {
      const end = await runInProcess(place, ["watch", ...ids, "--url", server.url])
      expect(end).toMatchObject({ code: 1, stderr: expect.stringMatching(oneSentence) })
      return end.stderr.split(". ")[0]
    }
    expect(await refusal("nope", "--json")).toBe("holdfast: nope is no Job and no live shell of yours")
    expect(await refusal(job("a"))).toBe(`holdfast: ${job("a")} is no Job and no live shell of yours`)
    expect(await refusal(shell, "ffff-1_local", "--follow")).toBe(
      "holdfast: ffff-1_local is no Job and no live shell of yours",
    )
    expect(await refusal(over)).toBe(`holdfast: ${over} has ended`)
    const watching = watch([over, shell])
    await expect.poll(watching.text, POLL).toBe(`[${shell}] opened bash in ${server.root}\n`)
    await server.call("session_destroy", { session_id: shell })
    await expect.poll(watching.text, POLL).toContain(`[${shell}] closed: destroyed`)
    process.emit("SIGINT")
    expect(await watching.ended).toBe(0)
  })

  it("says neither where its output is read by a program", async () => {
    const watching = watch(["--json"])
    await seeing(() => watching.text().replace('"command":"true"', "$ true"))
    process.emit("SIGINT")
    expect(await watching.ended).toBe(0)
    expect(watching.notes()).toBe("")
  })

  it("goes on when the server comes back, without leaving anything out", async () => {
    const watching = watch(["--follow"])
    await seeing(watching.text)
    await runShell("echo before")
    await expect.poll(watching.text, POLL).toContain("] before")
    const { port } = server
    await server.close()
    server = await startServer({ place, config: { port } })
    const jobId = await runShell("echo after")
    await expect.poll(watching.text, POLL).toContain(`[${jobId}] = exit 0`)
    process.emit("SIGINT")
    expect(await watching.ended).toBe(0)
    expect(watching.lines().filter((line) => line.endsWith("] before"))).toHaveLength(1)
    expect(watching.lines()).toContain(`[${jobId}] after`)
  })

  it("ends quietly once nobody reads it any more", async () => {
    const head = spawn("head", ["-n", "1"], { stdio: ["pipe", "pipe", "inherit"] })
    // From the start: what nobody has asked for when it exits is dropped.
    const printed = head.stdout.toArray()
    const stderr = new PassThrough().setEncoding("utf8")
    const env = { ...place.env, HOLDFAST_DATA_DIR: place.dataDir }
    const terminal = { stdout: head.stdin, stderr, stdin: new PassThrough(), env, cwd: place.root }
    const ended = main(["watch", "--json", "--url", server.url], { ...terminal, launch: ["holdfast"] })
    let isOver = false
    const watching = ended.finally(() => (isOver = true))
    await expect
      .poll(async () => {
        await runShell("echo one")
        return isOver
      }, POLL)
      .toBe(true)
    expect(await watching).toBe(0)
    expect(stderr.read()).toBeNull()
    const text = (await printed).join("")
    expect(text.endsWith("\n")).toBe(true)
    expect(JSON.parse(text)).toHaveProperty("event")
  })

  it("says in one sentence why nothing can be watched", async () => {
    const nobody = await runInProcess(place, ["watch", "--url", "http://127.0.0.1:1"])
    expect(nobody).toMatchObject({ code: 1, stdout: "" })
    expect(nobody.stderr).toMatch(oneSentence)
    expect(nobody.stderr).toContain("holdfast serve")
    const elsewhere = await runInProcess(place, ["watch", "--url", "http://example.org"])
    expect(elsewhere.code).toBe(2)
    expect(elsewhere.stderr).toMatch(oneSentence)
    const empty = await makePlace()
    const tokenless = await runInProcess(empty, ["watch"])
    expect(tokenless.code).toBe(1)
    expect(tokenless.stderr).toMatch(oneSentence)
    await empty.remove()
  })
})

const job = (id: string) => `wc_job_${id.repeat(32)}`
const started = (id: string, command: string): WireEvent => ({
  event: "command_started",
  job_id: job(id),
  tool: "run_shell",
  command,
})
const output = (id: string, text: string): WireEvent => ({
  event: "output",
  job_id: job(id),
  stream: "stdout",
  offset: 0,
  bytes: text.length,
  text,
})

describe("what a watcher sees", () => {
  it("a line is shown once, whole, however it came; nothing steers the terminal", () => {
    const transcript = new Transcript()
    const texts = (event: WireEvent) => transcript.lines(event).map(({ text }) => text)
    expect(texts(started("a", "echo \u001b[31m\u202ered"))).toEqual(["$ echo  [31mred"])
    expect(texts(output("a", "one\ntw"))).toEqual(["one"])
    expect(texts(output("b", "other\n"))).toEqual(["other"])
    expect(texts(output("a", "o\n10%\r20%\r\u001b[2K30%\n\u001b]0;title\u0007tail"))).toEqual(["two", "30%"])
    expect(texts({ event: "gap", job_id: job("a"), stream: "stdout", offset: 9, bytes: 7 })).toEqual([
      "tail",
      "… 7 bytes of stdout are not kept …",
    ])
    const ended = { event: "command_ended", job_id: job("a"), exit_code: null } as const
    expect(texts({ ...ended, outcome: "signaled", signal: "SIGKILL" })).toEqual(["= SIGKILL"])
    expect(texts({ ...ended, outcome: "timed_out" })).toEqual(["= timed out"])
  })

  it("the view has exactly the terminal's lines, whatever is in it", () => {
    const board = new Board()
    const plain = (_look: string, text: string): string => text
    for (const [columns, rows] of [
      [80, 24],
      [20, 5],
      [200, 50],
    ] as const) {
      const lines = layOut(board, { columns, rows, paint: plain, idle: ["Nothing runs yet."], note: "" })
      expect(lines).toHaveLength(rows)
      expect(lines.every((line) => [...line].length <= columns)).toBe(true)
      board.take(started("a", "x".repeat(300)))
      board.take(output("a", `${"y".repeat(500)}\n${"z\n".repeat(100)}`))
      board.take(started("b", "second"))
    }
    expect(board.entries.map(({ id }) => id)).toEqual([job("a"), job("b")])
    board.move(5)
    expect(board.selected?.command).toBe("second")
    board.move(-9)
    expect(layOut(board, { columns: 60, rows: 10, paint: plain, idle: [], note: "" }).join("\n")).toContain("│ z")
  })

  it("the list names a Job by its first digits and its command, the title by its whole id", () => {
    const board = new Board()
    board.take(started("a", "make all"))
    board.take({ event: "shell_opened", shell_id: "63a2-1_local", shell: "bash", cwd: "/p", transport: "local" })
    const plain = (_look: string, text: string): string => text
    const lines = layOut(board, { columns: 100, rows: 4, paint: plain, idle: [], note: "" })
    expect(lines.map((line) => line.split("│").map((part) => part.trim()))).toEqual([
      ["shells and commands", `${job("a")}  make all`],
      ["● aaaaaaaa  make all", "$ make all"],
      ["· 63a2-1_local", ""],
      ["↑ ↓ choose   q quit"],
    ])
  })

  it("forgets what ended long ago, and no more than that", () => {
    const board = new Board()
    for (let index = 0; index < 200; index += 1) {
      const id = index.toString(16).padStart(32, "0")
      const named = { job_id: `wc_job_${id}` }
      board.take({ event: "command_started", ...named, tool: "run_shell" })
      board.take({ event: "command_ended", ...named, outcome: "exited", exit_code: 0 })
    }
    expect(board.entries.length).toBeLessThanOrEqual(51)
    expect(board.entries.at(-1)?.id).toBe(`wc_job_${(199).toString(16).padStart(32, "0")}`)
  })
})
