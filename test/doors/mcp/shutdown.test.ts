import { describe, expect, it } from "vitest"
import { connectClient, connectFirstClient } from "../../support/mcp/clients.ts"
import { eventually } from "../../support/mcp/ledger.ts"
import { startServer } from "../../support/server.ts"

describe("shutdown during a call over MCP", () => {
  it.each([
    ["2026", connectClient],
    ["2025", connectFirstClient],
  ] as const)("a command is handed over and a wait answers, before the connection ends (%s)", async (_era, open) => {
    const server = await startServer({ config: { processes_on_shutdown: "end" } })
    const client = await open(server)
    const { output } = await server.call("run_shell", { project: "demo", command: "sleep 30", sync_wait_secs: 0 })
    const running = client.callTool({ name: "run_shell", arguments: { project: "demo", command: "sleep 30" } })
    const waiting = client.callTool({
      name: "observe_jobs",
      arguments: { items: [{ job_id: output.job_id }], wake_on: "terminal", wait_secs: 30 },
    })
    await eventually(
      5_000,
      async () => JSON.stringify((await server.call("runtime_status")).output.counts),
      (counts) => counts.includes('"jobs_active":2'),
    )
    const startedAt = performance.now()
    const closed = server.close()
    expect((await running).structuredContent).toMatchObject({ success: true, output: { execution_state: "running" } })
    expect((await waiting).structuredContent).toMatchObject({ success: true })
    await closed
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})
