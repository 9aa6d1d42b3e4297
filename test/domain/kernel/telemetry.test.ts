import { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { createPinoTelemetry } from "../../../adapters/telemetry/index.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"

function recorded(format: "json" | "pretty" = "json") {
  const lines: string[] = []
  const secrets = createSecretRegistry([{ name: "K", value: "sk-ABCDEFGHIJ" }])
  const telemetry = createPinoTelemetry({
    level: "info",
    format,
    redactor: () => secrets.redactor(),
    destination: new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    }),
  })
  return { telemetry, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe("the log line", () => {
  it("is one info line a call, of the named members alone", () => {
    const { telemetry, parsed } = recorded()
    telemetry.call({
      requestId: "r",
      callId: "wc_call_1",
      invocationId: "wc_inv_1",
      tool: "list_tools",
      door: "http",
      principal: "user:alice",
      success: false,
      errorKind: "outcome_unknown",
      executionState: "outcome_unknown",
      durationMs: 1.23456,
      replayed: false,
    })
    const [line] = parsed()
    expect({ ...line, time: 0 }).toEqual({
      time: 0,
      level: "info",
      msg: "call",
      request_id: "r",
      call_id: "wc_call_1",
      invocation_id: "wc_inv_1",
      tool: "list_tools",
      door: "http",
      principal: "user:alice",
      status: "failed",
      error_kind: "outcome_unknown",
      execution_state: "outcome_unknown",
      duration_ms: 1.235,
    })
  })

  it("K33: a fault has its stack, redacted, at level error", () => {
    const { telemetry, parsed, lines } = recorded()
    telemetry.fault(new Error("with sk-ABCDEFGHIJ in it", { cause: new Error("password: hunter2hunter2") }), {
      requestId: "r",
      tool: "t",
    })
    expect(parsed()[0]).toMatchObject({
      level: "error",
      request_id: "r",
      tool: "t",
      err: { type: "Error", message: "with [redacted:K] in it", cause: { message: "password: [redacted:password]" } },
    })
    expect(lines.join()).not.toMatch(/ABCDEF|hunter2hunter2/)
    expect(lines.join()).toContain("telemetry.test.ts")
  })

  it("masks notes and is readable on a terminal", () => {
    const { telemetry, lines } = recorded("pretty")
    telemetry.note("started with sk-ABCDEFGHIJ", { port: 4747 })
    const text = lines.join("")
    expect(text).toContain("started with [redacted:K]")
    expect(text).toContain("4747")
    expect(() => JSON.parse(text)).toThrow()
  })
})
