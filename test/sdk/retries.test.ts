import { HttpResponse } from "msw/http"
import { describe, expect, it } from "vitest"
import type { AttemptReport } from "../../sdk/index.ts"
import { broken, clientOf, failed, ok, rejection, silent, TOKEN, text, useReplies } from "./server-replies.ts"

const replies = useReplies()
const input = { project: "demo", command: "echo x" }
const limited = failed(429, { kind: "rate_limited", recovery: "retry_later" }, { "Retry-After": "1" })

describe("retries of a call (doors.md §5.4)", () => {
  it("D54: 429 with Retry-After 1, then 200: one repeat after ≥ 1 s with the same key and body", async () => {
    replies.answer(limited, ok({ job_id: "j" }))
    expect(await clientOf().tools.run_shell(input)).toEqual({ job_id: "j" })
    const [first, second, ...more] = replies.posts()
    expect(more).toEqual([])
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(995)
    expect(second!.headers.get("idempotency-key")).toBe(first!.headers.get("idempotency-key"))
    expect(first!.headers.get("idempotency-key")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect([first!.body, second!.body]).toEqual([JSON.stringify(input), JSON.stringify(input)])
  })

  it("D56: 200 with success:false and retry_later throws at once, retryable, one request", async () => {
    replies.answer(failed(200, { kind: "runner_unavailable", recovery: "retry_later", retry_after_ms: 5 }))
    const error = await rejection(clientOf().tools.run_shell(input))
    expect(error).toMatchObject({ kind: "runner_unavailable", retryable: true, attempts: 1, status: 200 })
    expect(error).not.toHaveProperty("executionState", "not_started")
    expect(replies.posts()).toHaveLength(1)
  })

  it.each([408, 429, 502, 503, 504])(
    "status %i is repeated, at most retry.max times, and the last failure is thrown",
    async (status) => {
      replies.answer(failed(status, { kind: "storage_unavailable", recovery: "retry_later" }))
      const error = await rejection(clientOf().tools.run_shell(input))
      expect(error).toMatchObject({ kind: "storage_unavailable", status, attempts: 3, executionState: "not_started" })
      expect(replies.posts()).toHaveLength(3)
    },
  )

  it.each([400, 401, 403, 404, 405, 413, 415, 500])("status %i is not repeated", async (status) => {
    replies.answer(failed(status, { kind: "some_kind", recovery: "none" }))
    expect(await rejection(clientOf().tools.run_shell(input))).toMatchObject({ status, attempts: 1, tool: "run_shell" })
  })

  it("409 call_in_progress is repeated, another 409 is not", async () => {
    const running = failed(409, { kind: "call_in_progress", recovery: "retry_same" })
    replies.answer(running, ok({ job_id: "j" }))
    expect(await clientOf().tools.run_shell(input)).toEqual({ job_id: "j" })
    replies.answer(running)
    expect(await rejection(clientOf({ retry: false }).tools.run_shell(input))).toMatchObject({
      executionState: "running",
    })
    replies.answer(failed(409, { kind: "idempotency_conflict", recovery: "fix_input" }))
    expect(await rejection(clientOf().tools.run_shell(input))).toMatchObject({ attempts: 1 })
  })

  it("retry_after_ms of the body and an HTTP date are heeded; a delay beyond the time left is not begun", async () => {
    replies.answer(failed(503, { kind: "shutting_down", recovery: "retry_later", retry_after_ms: 300 }), ok({}))
    await clientOf().tools.list_projects()
    expect(replies.posts()[1]!.at - replies.posts()[0]!.at).toBeGreaterThanOrEqual(295)
    replies.seen.length = 0
    const date = new Date(Date.now() + 30_000).toUTCString()
    replies.answer(failed(503, { kind: "shutting_down", recovery: "retry_later" }, { "Retry-After": date }))
    const startedAt = Date.now()
    const error = await rejection(clientOf({ timeoutMs: 5_000 }).tools.list_projects())
    expect(error).toMatchObject({ kind: "shutting_down", attempts: 1 })
    expect(Date.now() - startedAt).toBeLessThan(4_000)
  })

  it("retry:false and retry.max 0 send one request; options of a call win", async () => {
    replies.answer(broken)
    expect(await rejection(clientOf({ retry: false }).tools.run_shell(input))).toMatchObject({ attempts: 1 })
    expect(await rejection(clientOf().tools.run_shell(input, { retry: { max: 0 } }))).toMatchObject({ attempts: 1 })
    expect(
      await rejection(clientOf({ retry: false }).tools.run_shell(input, { retry: { max: 1, minDelayMs: 1 } })),
    ).toMatchObject({ attempts: 2 })
  })

  it("401 with a token function: once more with refresh, if the token differs; not with the same or a fixed token", async () => {
    const asked: boolean[] = []
    const token = ({ refresh }: { readonly refresh: boolean }): string => {
      asked.push(refresh)
      return refresh ? "hf_fresh" : "hf_stale"
    }
    const denied = failed(401, { kind: "unauthenticated", recovery: "reauthorize" })
    replies.answer(denied, ok({}))
    await clientOf({ token, retry: false }).tools.list_projects()
    expect(asked).toEqual([false, true])
    expect(replies.posts().map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer hf_stale",
      "Bearer hf_fresh",
    ])
    replies.seen.length = 0
    replies.answer(denied)
    expect(await rejection(clientOf({ token }).tools.list_projects())).toMatchObject({
      kind: "unauthenticated",
      attempts: 2,
    })
    expect(await rejection(clientOf({ token: async () => "same" }).tools.list_projects())).toMatchObject({
      attempts: 1,
    })
    expect(await rejection(clientOf().tools.list_projects())).toMatchObject({ attempts: 1 })
  })

  it("two calls at once refresh each for itself", async () => {
    let current = "hf_0"
    replies.answer(({ headers }) =>
      headers.get("authorization") === "Bearer hf_1"
        ? HttpResponse.json({ success: true, output: {} })
        : HttpResponse.json(
            { success: false, error: { kind: "unauthenticated", message: "No.", recovery: "reauthorize" } },
            { status: 401 },
          ),
    )
    const client = clientOf({
      token: ({ refresh }) => {
        if (refresh) current = "hf_1"
        return refresh ? current : "hf_0"
      },
    })
    await Promise.all([client.tools.list_projects(), client.tools.list_projects(), client.tools.list_projects()])
  })
})

describe("what an attempt sends and reports", () => {
  it("Prefer has the remaining whole seconds less 2, at least 1, and max-chars; the recording Session stands in the body", async () => {
    replies.answer(ok({}))
    await clientOf().tools.list_projects({}, { maxChars: 5_000, recordingSessionId: "wc_sess_0000000000000000" })
    await clientOf({ timeoutMs: 1_000, recordingSessionId: "wc_sess_1111111111111111" }).tools.list_projects()
    const [first, second] = replies.posts()
    expect(first!.headers.get("prefer")).toMatch(/^wait=5[78], max-chars=5000$/)
    expect(second!.headers.get("prefer")).toBe("wait=1")
    expect([first!.body, second!.body].map((body) => JSON.parse(body))).toEqual([
      { recording_session_id: "wc_sess_0000000000000000" },
      { recording_session_id: "wc_sess_1111111111111111" },
    ])
    expect([first!.path, first!.headers.get("content-type")]).toEqual(["/tools/list_projects", "application/json"])
  })

  it("below /s/{id} calls go to tools/custom/", async () => {
    replies.answer(ok({}))
    await clientOf({ baseUrl: "https://holdfast.example/s/wc_chat_1" }).tools.list_projects()
    expect(replies.posts()[0]!.path).toBe("/s/wc_chat_1/tools/custom/list_projects")
  })

  it("onAttempt is told of every attempt, with numbers alone", async () => {
    const reports: AttemptReport[] = []
    replies.answer(broken, () =>
      HttpResponse.json({ success: true, output: { secret: "zq81" } }, { headers: { "X-Request-Id": "r-2" } }),
    )
    await clientOf({ onAttempt: (report) => reports.push(report) }).tools.run_shell(input, {
      idempotencyKey: "0123456789abcdef",
    })
    expect(reports).toEqual([
      { tool: "run_shell", attempt: 1, status: undefined, durationMs: expect.any(Number), requestId: undefined },
      { tool: "run_shell", attempt: 2, status: 200, durationMs: expect.any(Number), requestId: "r-2" },
    ])
    expect(JSON.stringify(reports)).not.toMatch(/zq81|echo/)
    expect(replies.posts().map(({ headers }) => headers.get("idempotency-key"))).toEqual([
      "0123456789abcdef",
      "0123456789abcdef",
    ])
  })
})

describe("time and abort", () => {
  it("D58: a silent server: client_timeout after timeoutMs, outcome_unknown, and the call is cancelled by its key", async () => {
    replies.answer(silent)
    const startedAt = performance.now()
    const error = await rejection(clientOf({ timeoutMs: 5_000 }).tools.run_shell(input))
    const took = performance.now() - startedAt
    expect(error).toMatchObject({
      kind: "client_timeout",
      executionState: "outcome_unknown",
      attempts: 1,
      recovery: "reobserve",
    })
    expect(took).toBeGreaterThanOrEqual(4_990)
    expect(took).toBeLessThan(7_000)
    await expect.poll(() => replies.seen.map(({ method }) => method)).toEqual(["POST", "DELETE"])
    expect(replies.seen[1]!.path).toBe(`/calls/${replies.seen[0]!.headers.get("idempotency-key")}`)
    expect(JSON.stringify(error)).not.toContain(TOKEN)
  })

  it("a token function that hangs does not outlive timeoutMs", async () => {
    const error = await rejection(
      clientOf({ token: () => new Promise(() => undefined), timeoutMs: 1_000 }).tools.list_projects(),
    )
    expect(error).toMatchObject({ kind: "client_timeout" })
    expect(error).not.toHaveProperty("executionState", "outcome_unknown")
  })

  it("D57: an abort rejects with its own reason and cancels; onAbort leave does not; aborted before sends nothing", async () => {
    replies.answer(silent)
    const stop = new Error("stop")
    const inFlight = async (onAbort: "cancel" | "leave"): Promise<unknown> => {
      const controller = new AbortController()
      const call = rejection(clientOf().tools.run_shell(input, { signal: controller.signal, onAbort }))
      await expect.poll(() => replies.posts().length).toBe(1)
      controller.abort(stop)
      return await call
    }
    expect(await inFlight("cancel")).toBe(stop)
    await expect.poll(() => replies.seen.length).toBe(2)
    replies.seen.length = 0
    expect(await inFlight("leave")).toBe(stop)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(replies.seen.map(({ method }) => method)).toEqual(["POST"])
    replies.seen.length = 0
    expect(await rejection(clientOf().tools.run_shell(input, { signal: AbortSignal.abort(stop) }))).toBe(stop)
    expect(replies.seen).toEqual([])
  })

  it("an abort during a delay between attempts rejects at once", async () => {
    replies.answer(failed(503, { kind: "shutting_down", recovery: "retry_later", retry_after_ms: 20_000 }))
    const controller = new AbortController()
    const call = rejection(clientOf().tools.run_shell(input, { signal: controller.signal }))
    await expect.poll(() => replies.posts().length).toBe(1)
    controller.abort("enough")
    expect(await call).toBe("enough")
  })
})

describe("what a lost attempt means for the outcome", () => {
  it("an earlier attempt that may have arrived makes a later refusal unknown, not not_started", async () => {
    replies.answer(broken, failed(403, { kind: "session_closed", recovery: "none" }))
    expect(await rejection(clientOf().tools.run_shell(input))).toMatchObject({
      kind: "session_closed",
      executionState: "outcome_unknown",
    })
  })

  it("the server's own execution state wins; an observing tool has none", async () => {
    replies.answer(failed(409, { kind: "result_not_retained", recovery: "reobserve", execution_state: "completed" }))
    expect(await rejection(clientOf().tools.run_shell(input))).toMatchObject({ executionState: "completed" })
    replies.answer(broken)
    const error = await rejection(clientOf().tools.list_projects())
    expect(error).toMatchObject({ kind: "connection_failed", attempts: 3 })
    expect(error).not.toHaveProperty("executionState", "outcome_unknown")
  })

  it.each([
    ["html", text(200, "<html>")],
    ["no boolean success", text(200, '{"success":"yes"}')],
    ["success without output", text(200, '{"success":true}')],
    ["an error without kind", text(200, '{"success":false,"error":{}}')],
    ["an array", text(200, "[]")],
  ])("invalid_response: %s", async (_what, step) => {
    replies.answer(step)
    expect(await rejection(clientOf().tools.run_shell(input))).toMatchObject({
      kind: "invalid_response",
      executionState: "outcome_unknown",
      attempts: 1,
      status: 200,
    })
  })
})
