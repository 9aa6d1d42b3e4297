import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { bob } from "../../support/callers.ts"
import type { Harness } from "../../support/harness.ts"
import { openJobs, untilEnded } from "./jobs-under-test.ts"

const streamSchema = z.looseObject({
  text: z.string().optional(),
  base64: z.string().optional(),
  next_byte: z.number(),
  from_byte: z.number(),
  complete: z.boolean(),
  more: z.boolean(),
})

async function stdoutOf(harness: Harness, input: object) {
  return streamSchema.parse((await harness.ok("job_log", { stream: "stdout", ...input })).stdout)
}

describe("job_log", () => {
  it("shows the last lines, lines from a number, lines from the end", async () => {
    await using jobs = await openJobs()
    const { job_id } = (await jobs.shell("seq 1000; echo err >&2")).output
    const tail = await jobs.harness.ok("job_log", { job_id, tail_lines: 3 })
    expect(tail).toMatchObject({
      status: "completed",
      terminal: true,
      exit_code: 0,
      log_delta_status: "baseline",
      output_state: "available",
      stdout: {
        text: "998\n999\n1000\n",
        from_line: 998,
        next_line: 1001,
        lines_total: 1000,
        complete: true,
        more: false,
      },
      stderr: { text: "err\n", from_byte: 0, next_byte: 4, bytes_total: 4, complete: true },
    })
    const read = (input: object) => stdoutOf(jobs.harness, { job_id, ...input })
    expect(await read({ from_line: 500, max_lines: 2 })).toMatchObject({
      text: "500\n501\n",
      from_line: 500,
      more: true,
    })
    expect(await read({ from_line: -2 })).toMatchObject({ text: "999\n1000\n", from_line: 999, complete: true })
    expect(await read({ from_line: 5000 })).toMatchObject({ text: "", complete: true, more: false })
  })

  it("finds lines by pattern with their numbers, offsets and neighbours", async () => {
    await using jobs = await openJobs()
    const { job_id } = (await jobs.shell("seq 100; echo no-newline | tr -d '\\n'")).output
    const log = await jobs.harness.ok("job_log", { job_id, grep_pattern: "^5.$", context_lines: 1, max_matches: 2 })
    expect(log).toMatchObject({
      stdout: {
        matches: [
          { line: 50, byte: 138, text: "50", before: ["49"], after: ["51"] },
          { line: 51, byte: 141, text: "51", before: ["50"], after: ["52"] },
        ],
        more: true,
        next_byte: 144,
      },
      stderr: { matches: [], more: false, complete: true },
    })
    const next = await stdoutOf(jobs.harness, { job_id, grep_pattern: "^5.$|no-", from_byte: 144, stream: "stdout" })
    expect(next).toMatchObject({
      matches: expect.arrayContaining([
        expect.objectContaining({ line: 52, text: "52" }),
        expect.objectContaining({ line: 101, text: "no-newline" }),
      ]),
      more: false,
    })
  })

  it("a walk by next_line ends, also over lines longer than a page, and next_byte leads to their rest", async () => {
    await using jobs = await openJobs()
    const long = "head -c 300000 /dev/zero | tr '\\0' x"
    const { job_id } = (await jobs.shell(`echo first; ${long}; echo; echo last; ${long}`)).output
    const seen: { from: unknown; next: unknown; cut: unknown; text: string | undefined }[] = []
    for (let from_line: unknown = 1; ; ) {
      const page = await stdoutOf(jobs.harness, { job_id, from_line })
      seen.push({ from: from_line, next: page.next_line, cut: page.line_cut, text: page.text?.slice(0, 8) })
      if (page.complete || !page.more) break
      if (page.line_cut === true && page.next_line === 3) {
        const rest = await stdoutOf(jobs.harness, { job_id, from_byte: page.next_byte, max_bytes: 4 })
        expect(rest.text).toBe("xxxx")
      }
      from_line = page.next_line
      expect(seen.length).toBeLessThan(9)
    }
    expect(seen.slice(0, 4)).toEqual([
      { from: 1, next: 2, cut: undefined, text: "first\n" },
      { from: 2, next: 3, cut: true, text: "xxxxxxxx" },
      { from: 3, next: 4, cut: undefined, text: "last\n" },
      { from: 4, next: 5, cut: true, text: "xxxxxxxx" },
    ])
    expect((await jobs.harness.fails("job_log", { job_id, from_line: 0, stream: "stdout" })).kind).toBe(
      "invalid_arguments",
    )
  })

  it("lines of a running Job are given once, when they have ended", async () => {
    await using jobs = await openJobs()
    const command = "for i in 1 2 3; do printf a$i; sleep 0.3; printf b; sleep 0.3; echo c; done; printf end"
    const { job_id } = (await jobs.shell(command, { sync_wait_secs: 0 })).output
    let text = ""
    let from_line: unknown = 1
    for (;;) {
      const page = await stdoutOf(jobs.harness, { job_id, from_line })
      text += page.text
      from_line = page.next_line
      if (page.complete) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(text).toBe("a1bc\na2bc\na3bc\nend")
  })

  it("a small reply: next_byte never passes the text that was sent", async () => {
    await using jobs = await openJobs({ replyLimit: 1000 })
    const { job_id } = (await jobs.shell("seq 2000")).output
    const whole = Array.from({ length: 2000 }, (_, index) => `${index + 1}\n`).join("")
    let text = ""
    for (let from_byte = 0; ; ) {
      const page = await stdoutOf(jobs.harness, { job_id, from_byte, view: "raw" })
      text += page.text
      expect(page.next_byte).toBe(text.length)
      if (page.complete) break
      from_byte = page.next_byte
    }
    expect(text).toBe(whole)
  })

  it("a large output: its ends are read from the end, a search ends before its deadline, neighbours are served", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("yes | head -c 40000000; head -c 20000000 /dev/zero; echo; echo fin")
    const { job_id } = output
    expect(output).toMatchObject({ lines_total: { stdout: 20_000_002 } })
    expect(await stdoutOf(jobs.harness, { job_id, tail_lines: 1 })).toMatchObject({
      text: "fin\n",
      from_line: 20_000_002,
    })
    expect(await stdoutOf(jobs.harness, { job_id, from_line: -1 })).toMatchObject({
      text: "fin\n",
      from_line: 20_000_002,
    })
    const search = stdoutOf(jobs.harness, { job_id, grep_pattern: "^fin$" })
    let served = 0
    let isOver = false
    void search.then(() => {
      isOver = true
    })
    while (!isOver) {
      await jobs.harness.ok("list_projects", {})
      served += 1
    }
    expect(served).toBeGreaterThan(3)
    expect(await search).toMatchObject({ matches: [{ line: 20_000_002, text: "fin" }], more: false })
    const begun = performance.now()
    const hurried = await jobs.harness.ok(
      "job_log",
      { job_id, grep_pattern: "zz", stream: "stdout" },
      { deadlineMs: 1050 },
    )
    expect(performance.now() - begun).toBeLessThan(1050)
    expect(hurried).toMatchObject({ stdout: { matches: [], more: true, complete: false } })
  })

  it("late output of kept background processes counts, keeps the log open, and can be waited for", async () => {
    await using jobs = await openJobs()
    const command = "(sleep 1.5; echo late1; sleep 1.5; printf late2) & echo first"
    const { output } = await jobs.shell(command, { background: "keep" })
    const { job_id } = output
    expect(output).toMatchObject({ status: "completed", stdout: "first\n", background_total: 1 })
    const early = await jobs.harness.ok("job_log", { job_id })
    expect(early).toMatchObject({ terminal: true, stdout: { text: "first\n", complete: false, bytes_total: 6 } })
    const ask = { job_id, after_observation_token: early.observation_token, wait_secs: 20 }
    const late = await jobs.harness.ok("job_log", ask)
    expect(late).toMatchObject({
      wait_outcome: "changed",
      stdout: { text: "late1\n", bytes_total: 12, lines_total: 2 },
    })
    const again = { ...ask, after_observation_token: late.observation_token }
    expect(await jobs.harness.ok("job_log", again)).toMatchObject({ stdout: { text: "late2" } })
    await expect
      .poll(async () => (await jobs.harness.store.read((tx) => tx.jobs.byId(job_id)))?.output?.stdout, {
        timeout: 9000,
      })
      .toMatchObject({ bytes_total: 17, lines_total: 3 })
    const end = await jobs.harness.ok("job_log", { job_id })
    expect(end).toMatchObject({
      stdout: { text: "first\nlate1\nlate2", complete: true, bytes_total: 17, lines_total: 3 },
    })
  })

  it("reduces control sequences in the clean view and keeps them in the raw one", async () => {
    await using jobs = await openJobs()
    const { job_id } = (await jobs.shell("printf '\\033[31mred\\033[0m\\r\\n10%%\\r100%%\\n'")).output
    expect((await stdoutOf(jobs.harness, { job_id })).text).toBe("red\n100%\n")
    expect((await stdoutOf(jobs.harness, { job_id, view: "raw" })).text).toBe("\u001b[31mred\u001b[0m\r\n10%\r100%\n")
    const bytes = await stdoutOf(jobs.harness, { job_id, view: "raw", encoding: "base64", from_byte: 5, max_bytes: 3 })
    expect(Buffer.from(bytes.base64 ?? "", "base64").toString()).toBe("red")
  })

  it("takes exactly one mode and only its own fields", async () => {
    await using jobs = await openJobs()
    const { job_id } = (await jobs.shell("true")).output
    const wrong = [
      { tail_lines: 1, from_line: 1, stream: "stdout" },
      { max_lines: 3 },
      { from_line: 1 },
      { from_byte: 0 },
      { encoding: "base64" },
      { wait_secs: 1 },
      { context_lines: 1 },
    ]
    for (const input of wrong) {
      expect(await jobs.harness.fails("job_log", { job_id, ...input })).toMatchObject({ kind: "invalid_arguments" })
    }
    expect((await jobs.harness.fails("job_log", { job_id, grep_pattern: "(" })).kind).toBe("budget_invalid")
  })

  it("J34: pages of 1,000 bytes give every byte, and no character is cut", async () => {
    await using jobs = await openJobs()
    const text = Array.from({ length: 12_000 }, (_, n) => `${n} äöü€漢字😀 `)
      .join("")
      .repeat(2)
    await writeFile(join(jobs.root, "text"), text)
    const { job_id } = (await jobs.shell("cat text")).output
    let from = 0
    let all = ""
    for (;;) {
      const page = await stdoutOf(jobs.harness, { job_id, from_byte: from, max_bytes: 1000, view: "raw" })
      all += page.text
      from = page.next_byte
      if (page.complete) break
    }
    expect(all).toBe(text)
    expect((await stdoutOf(jobs.harness, { job_id, from_byte: 2, max_bytes: 1, view: "raw" })).text).toBe("ä")
  })

  it("J20: the middle of a flood goes in whole segments, exactly counted; first and newest bytes stay", async () => {
    await using jobs = await openJobs({ hostLimits: { spoolJobBytes: 1_048_576 } })
    const { output } = await jobs.shell("seq -w 1000000")
    expect(output).toMatchObject({
      truncated: true,
      bytes_total: { stdout: 8_000_000 },
      lines_total: { stdout: 1_000_000 },
    })
    const { job_id } = output
    const first = await stdoutOf(jobs.harness, { job_id, from_byte: 0, max_bytes: 16 })
    expect(first).toMatchObject({ text: "0000001\n0000002\n", bytes_total: 8_000_000 })
    const dropped = z.number().parse(first.dropped_bytes)
    expect(8_000_000 - dropped).toBeLessThanOrEqual(1_048_576 + 131_072)
    expect(8_000_000 - dropped).toBeGreaterThan(800_000)
    const beyond = await stdoutOf(jobs.harness, { job_id, from_byte: 1_000_000, max_bytes: 8 })
    expect(beyond).toMatchObject({ gap: { from_byte: 1_000_000, to_byte: beyond.from_byte } })
    const tail = await stdoutOf(jobs.harness, { job_id, tail_lines: 1 })
    expect(tail).toMatchObject({ text: "1000000\n", from_line: 1_000_000, complete: true })
    const found = await stdoutOf(jobs.harness, { job_id, grep_pattern: "^0999999$" })
    expect(found).toMatchObject({ matches: [{ line: 999_999, byte: 7_999_984 }] })
    const line = await stdoutOf(jobs.harness, { job_id, from_line: 999_990, max_lines: 1 })
    expect(line).toMatchObject({ text: "0999990\n", from_line: 999_990 })

    expect(output.hint).toMatch(/^The middle of the output, \d+ bytes, was dropped/)
    const budget = { grep: { pattern: "^[01]000001$|^0999999$|^0000002$" } }
    const cut = (await jobs.shell("seq -w 1000000", { budget })).output
    expect(cut).toMatchObject({ truncated: true, budget: { stdout: { lines_total: 1_000_000, lines_kept: 3 } } })
    expect(cut.stdout).toMatch(/^0000001\n0000002\n\.\.\. \d+ lines elided \.\.\.\n\.\.\. \d+ bytes dropped \.\.\.\n/)
  })

  it("a walk over lines passes a dropped middle, and gives no part of a line as a line", async () => {
    await using jobs = await openJobs({ hostLimits: { spoolJobBytes: 1_048_576 } })
    for (const [command, begin] of [
      ["seq -w 1000000", 31_000],
      ["seq 500000", 44_000],
    ] as const) {
      const { job_id } = (await jobs.shell(command)).output
      const lines: string[] = []
      for (let from_line: number = begin; ; ) {
        const page = await stdoutOf(jobs.harness, { job_id, from_line, max_lines: 2000 })
        lines.push(...(page.text ?? "").split("\n").slice(0, -1))
        const next = Number(page.next_line)
        expect(next).toBeGreaterThan(from_line)
        const last = Number(lines.at(-1))
        if (last > 2 * begin) {
          expect(next).toBe(last + 1)
          break
        }
        from_line = next
      }
      const numbers = lines.map(Number)
      const jumps = numbers.filter((value, index) => index > 0 && value !== (numbers[index - 1] ?? 0) + 1)
      expect(numbers[0]).toBe(begin)
      expect(jumps).toHaveLength(1)
    }
  })

  it("J30: tokens of other Jobs and no tokens are refused; one whose range was dropped starts anew", async () => {
    await using jobs = await openJobs({ hostLimits: { spoolJobBytes: 1_048_576 } })
    const { output: a } = await jobs.shell("echo first; sleep 1.5; seq -w 1000000", { sync_wait_secs: 1 })
    const { output: b } = await jobs.shell("true")
    const log = (job_id: string, after_observation_token: unknown) =>
      jobs.harness.call("job_log", { job_id, after_observation_token })
    const early = a.observation_token
    expect((await log(b.job_id, early)).result).toMatchObject({ error: { kind: "observation_token_invalid" } })
    expect((await log(b.job_id, "jo1_xyz")).result).toMatchObject({ error: { kind: "observation_token_invalid" } })
    await untilEnded(jobs.harness, a.job_id)
    const { result } = await log(a.job_id, early)
    expect(result).toMatchObject({
      output: { log_delta_status: "delta", stdout: { from_byte: 6, complete: false, more: true } },
    })
    const middle = await stdoutOf(jobs.harness, { job_id: a.job_id, from_byte: 262_140, max_bytes: 100 })
    expect(middle.next_byte).toBe(262_144)
    const page = await jobs.harness.ok("job_log", {
      job_id: a.job_id,
      from_byte: 262_140,
      max_bytes: 100,
      stream: "stdout",
    })
    const reset = await jobs.harness.ok("job_log", {
      job_id: a.job_id,
      after_observation_token: page.observation_token,
    })
    expect(reset).toMatchObject({ log_delta_status: "reset", stdout: { next_byte: 8_000_006 } })
    const settled = await jobs.harness.ok("job_log", {
      job_id: a.job_id,
      after_observation_token: reset.observation_token,
      wait_secs: 5,
    })
    expect(settled).toMatchObject({ log_delta_status: "unchanged", wait_outcome: "terminal" })
  })

  it("J31: all waiters wake at the end of the Job", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("sleep 1; date +%s%3N", { sync_wait_secs: 0 })
    const wait = async () => {
      const items = [{ job_id: output.job_id }]
      const answer = await jobs.harness.ok("observe_jobs", { items, wait_secs: 30, wake_on: "terminal" })
      return { at: Date.now(), answer }
    }
    const woken = await Promise.all([wait(), wait(), wait()])
    for (const { at, answer } of woken) {
      expect(answer).toMatchObject({ wait_outcome: "terminal", results: [{ status: "completed" }] })
      const [result] = z.array(z.object({ stdout: z.object({ text: z.string() }) })).parse(answer.results)
      expect(at - Number(result?.stdout.text)).toBeLessThan(500)
    }
  })

  it("J31: a wait wakes for output, and for a Job of another server of the data directory", async () => {
    await using jobs = await openJobs()
    await using other = await openJobs({ beside: jobs.harness })
    const { output } = await jobs.shell("sleep 1; echo news; sleep 1", { sync_wait_secs: 0 })
    const after_observation_token = output.observation_token
    const ask = { job_id: output.job_id, after_observation_token, wait_secs: 20 }
    const [here, there] = await Promise.all([
      jobs.harness.ok("job_log", ask),
      other.harness.ok("job_log", { job_id: output.job_id, stream: "stdout", from_byte: 0, wait_secs: 20 }),
    ])
    expect(here).toMatchObject({ status: "running", wait_outcome: "changed" })
    expect(there).toMatchObject({ status: "running", wait_outcome: "changed", stdout: { text: "news\n" } })
    const items = [{ job_id: output.job_id }]
    const end = await other.harness.ok("observe_jobs", { items, wait_secs: 20, wake_on: "terminal" })
    expect(end).toMatchObject({ wait_outcome: "terminal", results: [{ status: "completed", exit_code: 0 }] })
  })

  it("J32: a wait never outlives the deadline, and a timeout is a success", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("sleep 30", { sync_wait_secs: 1 })
    const ask = { job_id: output.job_id, after_observation_token: output.observation_token, wait_secs: 60 }
    const begun = performance.now()
    const log = await jobs.harness.ok("job_log", ask, { deadlineMs: 3000 })
    expect(performance.now() - begun).toBeLessThan(2900)
    expect(log).toMatchObject({ wait_outcome: "timeout", log_delta_status: "unchanged", status: "running" })
  })

  it("J33, J36: an unknown and a foreign Job are not found, and fail nobody else", async () => {
    await using jobs = await openJobs()
    const { job_id } = (await jobs.shell("echo mine")).output
    const unknown = "wc_job_00000000000000000000000000000000"
    const items = [{ job_id }, { job_id: unknown }]
    expect(await jobs.harness.ok("observe_jobs", { items })).toMatchObject({
      results: [
        { job_id, ok: true, status: "completed", stdout: { text: "mine\n" } },
        { job_id: unknown, ok: false, error_kind: "job_not_found" },
      ],
    })
    for (const [tool, input] of [
      ["job_log", { job_id }],
      ["stop_job", { job_id, confirm: true }],
    ] as const) {
      expect((await jobs.harness.fails(tool, input, { as: bob })).kind).toBe("job_not_found")
    }
    const foreign = await jobs.harness.ok("observe_jobs", { items: [{ job_id }] }, { as: bob })
    expect(foreign).toMatchObject({ results: [{ ok: false, error_kind: "job_not_found" }] })
  })

  it("J37: an evicted output says so with its totals", async () => {
    await using jobs = await openJobs({ hostLimits: { spoolTotalBytes: 10 } })
    const { job_id } = (await jobs.shell("seq 100")).output
    const silent = (await jobs.shell("true")).output
    await jobs.harness.runners.get("local")!.jobs.sweep()
    const { result } = await jobs.harness.call("job_log", { job_id })
    expect(result).toMatchObject({
      success: false,
      error: { kind: "output_evicted", details: { finished_at: expect.any(Number) } },
      output: { output_state: "evicted", totals: { stdout: { bytes_total: 292, lines_total: 100 } } },
    })
    expect(await jobs.harness.ok("job_log", { job_id: silent.job_id })).toMatchObject({ output_state: "available" })
  })

  it("shows the newest part of a last line that is too long", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("echo first; head -c 3000000 /dev/zero | tr '\\0' ä; printf END")
    const { job_id } = output
    const tail = await stdoutOf(jobs.harness, { job_id })
    expect(tail.text?.endsWith("END")).toBe(true)
    expect(tail).toMatchObject({ from_line: 2, complete: true, more: true })
    const early = await stdoutOf(jobs.harness, { job_id, from_line: 1 })
    expect(early.text?.startsWith("first\n")).toBe(true)
    expect(early).toMatchObject({ from_line: 1, complete: false, more: true })
  })
})
