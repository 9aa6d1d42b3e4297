import { connect, createServer, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { configSchema } from "../../../server/config/keys.ts"
import { connectClient, connectFirstClient } from "../../support/mcp/clients.ts"
import { startServer, type TestServer } from "../../support/server.ts"

/** Deadlines are ten times shorter than the real ones here; the two cases of 25 s run in real time, side by side. */
const DEADLINE_MS = 5_000

interface Notice {
  readonly progress: number
  readonly message?: string | undefined
}

let server: TestServer
let patient: TestServer
beforeAll(async () => {
  server = await startServer({ config: { mcp_deadline_ms: DEADLINE_MS } })
  patient = await startServer()
})
afterAll(async () => {
  await server.close()
  await patient.close()
})

const run = (command: string, meta: object = {}) => ({
  name: "run_shell",
  arguments: { project: "demo", command },
  ...("deadlineMs" in meta ? { _meta: { "holdfast/deadline-ms": meta.deadlineMs } } : {}),
})

describe("a call that takes long", () => {
  it.concurrent("D44: with a token it tells of itself every 10 s, and nothing after the result", async () => {
    const client = await connectClient(patient)
    const startedAt = performance.now()
    const notices: (Notice & { readonly at: number })[] = []
    const onprogress = (notice: Notice) => notices.push({ at: performance.now(), ...notice })
    const reply = await client.callTool(run("seq 3 >&2; sleep 25; echo ok"), { onprogress })
    expect(reply.structuredContent).toMatchObject({ success: true, output: { stdout: "ok\n" } })
    const received = notices.length
    expect(received).toBeGreaterThanOrEqual(2)
    const times = [startedAt, ...notices.map(({ at }) => at)]
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_500)
    expect(notices.map(({ progress }) => progress)).toEqual(
      [...new Set(notices.map(({ progress }) => progress))].sort((one, other) => one - other),
    )
    expect(notices[1]?.message).toMatch(/^running wc_job_[0-9a-f]{32}, 3 lines so far$/)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(notices).toHaveLength(received)
    await client.close()
  }, 60_000)

  it.concurrent.each([
    ["2026", connectClient],
    ["2025", connectFirstClient],
  ])(
    "D45: without a token it survives a proxy that cuts idle connections (%s)",
    async (_era, open) => {
      const proxy = await idleCuttingProxy(patient.port, 20_000)
      const client = await open({ url: proxy.url, token: patient.token })
      const reply = await client.callTool(run("sleep 25; echo ok"))
      expect(reply.structuredContent).toMatchObject({ success: true, output: { stdout: "ok\n" } })
      await client.close()
      proxy.close()
    },
    60_000,
  )

  it.concurrent("D46: is handed over before a client with defaults gives up, with and without onprogress", async () => {
    // The official client gives up after 60 s; the hand-over stands at 95 % of the deadline.
    const { mcp_deadline_ms } = configSchema.parse({})
    expect(mcp_deadline_ms).toBe(50_000)
    const client = await connectClient(server)
    const outcomes = await Promise.all(
      [{}, { onprogress: () => undefined }].map(async (options) => {
        const startedAt = performance.now()
        const reply = await client.callTool(run("sleep 8; echo ok"), options)
        return { reply, elapsed: performance.now() - startedAt }
      }),
    )
    for (const { reply, elapsed } of outcomes) {
      expect(reply.structuredContent).toMatchObject({
        success: true,
        output: { execution_state: "running", promoted_to_job: true, job_id: expect.stringMatching(/^wc_job_/) },
      })
      expect(elapsed).toBeLessThan(DEADLINE_MS + 1_000)
    }
    await client.close()
  })

  it.concurrent.each([
    ["2026", connectClient],
    ["2025", connectFirstClient],
  ])("D47: a stated deadline is granted: one reply, no hand-over (%s)", async (_era, open) => {
    const client = await open(server)
    const reply = await client.callTool(run("sleep 7; echo ok", { deadlineMs: 20_000 }))
    expect(reply.structuredContent).toMatchObject({ success: true, output: { stdout: "ok\n", terminal: true } })
    await client.close()
  })

  it("a stated reply limit holds, and nonsense is as if nothing was stated", async () => {
    const client = await connectClient(server)
    const many = run("seq 1 20000")
    const sizeOf = async (meta: object) => {
      const { structuredContent } = await client.callTool({ ...many, _meta: { ...meta } })
      return JSON.stringify(structuredContent).length
    }
    expect(await sizeOf({ "holdfast/max-chars": 3_000 })).toBeLessThanOrEqual(3_000)
    expect(await sizeOf({ "holdfast/max-chars": "3000", "holdfast/deadline-ms": -1.5 })).toBeGreaterThan(3_000)
    await client.close()
  })
})

/** Passes bytes on and ends a connection on which the server has been silent for `idleMs`. */
async function idleCuttingProxy(port: number, idleMs: number): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1")
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        near.destroy()
        far.destroy()
      })
    }
    far.setTimeout(idleMs, () => far.destroy())
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const address = proxy.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
