import { describe, expect, it } from "vitest"
import { createClient } from "../../sdk/index.ts"
import { createHoldfast, type Holdfast } from "../../server/holdfast.ts"
import { makePlace, type Place } from "../support/place.ts"
import { rejection } from "./server-replies.ts"

async function embed(place: Place): Promise<Holdfast> {
  return await createHoldfast({
    dataDir: place.dataDir,
    projects: [{ path: place.root, project: "demo" }],
    env: place.env,
  })
}

describe("createHoldfast (doors.md §6)", () => {
  it("D65: two on two directories share nothing, and closing one leaves the other", async () => {
    const places = [await makePlace(), await makePlace()] as const
    const [one, other] = [await embed(places[0]), await embed(places[1])]
    try {
      const session = await one.client.tools.start_session({ project: "demo", title: "Of the first" })
      const { session_id } = session
      expect(await rejection(other.client.tools.session_summary({ session_id }))).toMatchObject({
        kind: "unknown_session_id",
      })
      const job = await one.client.tools.run_shell({ project: "demo", command: "pwd", session_id })
      expect(job.stdout).toBe(`${places[0].root}\n`)
      expect(await rejection(other.client.tools.job_log({ job_id: job.job_id }))).toMatchObject({
        kind: "job_not_found",
      })
      const running = other.client.tools.run_shell({ project: "demo", command: "sleep 2; pwd" })
      const listening = await other.listen({ port: 0 })
      await one.close()
      expect(await rejection(one.client.tools.list_projects())).toMatchObject({ kind: "shutting_down" })
      expect(await rejection(one.client.call("list_projects", {}))).toMatchObject({ kind: "shutting_down" })
      expect((await running).stdout).toBe(`${places[1].root}\n`)
      expect((await fetch(`${listening.url}/health`)).status).toBe(200)
      expect((await other.client.tools.list_projects()).total).toBe(1)
    } finally {
      await one.close()
      await other.close()
      for (const place of places) await place.remove()
    }
  })

  it("acknowledges messages of a recorder's board, whose texts it sees whole; HTTP has no such field", async () => {
    const place = await makePlace()
    try {
      await using holdfast = await embed(place)
      const { client } = holdfast
      const { session_id } = await client.tools.start_session({ project: "demo" })
      const { message_id } = await client.tools.post_session_message({
        session_id,
        kind: "guidance",
        message: "x".repeat(1000),
        requires_ack: true,
      })
      const recorded = { recordingSessionId: session_id }
      const shown = await client.call("list_projects", {}, recorded)
      expect(shown.attached?.session_attention?.messages).toMatchObject([{ message: "x".repeat(1000) }])
      const acknowledged = await client.call("list_projects", {}, { ...recorded, ackSessionMessageIds: [message_id] })
      expect(acknowledged.attached?.session_attention).toMatchObject({
        messages: [],
        ack: { accepted_count: 1, ignored_count: 0 },
      })
      const { url, close } = await holdfast.listen({ port: 0 })
      const far = createClient({ baseUrl: url, token: "hfl_none" })
      expect(await rejection(far.call("list_projects", {}, { ackSessionMessageIds: [message_id] }))).toMatchObject({
        kind: "configuration_invalid",
        details: { option: "ackSessionMessageIds" },
      })
      await close()
    } finally {
      await place.remove()
    }
  })

  it("has the client's types, errors and helpers; input and output are copies; no operator routes", async () => {
    const place = await makePlace()
    try {
      await using holdfast = await embed(place)
      const { client } = holdfast
      const input = { project: "demo", command: "echo hi" }
      const call = client.tools.run_shell(input)
      input.command = "echo changed"
      expect((await call).stdout).toBe("hi\n")
      const first = await client.tools.list_projects()
      Object.assign(first.projects[0] ?? {}, { project: "changed" })
      expect((await client.tools.list_projects()).projects[0]?.project).toBe("demo")
      const later = await client.tools.run_shell({ project: "demo", command: "sleep 1; exit 4", sync_wait_secs: 0 })
      expect(await client.settle(later)).toMatchObject({ terminal: true, exit_code: 4 })
      const text = []
      for await (const item of client.jobOutput(later.job_id)) text.push(item.type)
      expect(text).toEqual(["end"])
      expect(await rejection(client.tools.git_status({ project: "nowhere" }))).toMatchObject({
        kind: "project_not_found",
        status: 404,
      })
      expect(await rejection(client.operator.POST("/api/status", { body: {} }))).toMatchObject({
        kind: "configuration_invalid",
      })
    } finally {
      await place.remove()
    }
  })

  it("D57 in process: an abort rejects with its reason and cancels the command", async () => {
    const place = await makePlace()
    try {
      await using holdfast = await embed(place)
      const controller = new AbortController()
      const stop = new Error("stop")
      setTimeout(() => controller.abort(stop), 500)
      const call = holdfast.client.tools.run_shell(
        { project: "demo", command: "sleep 30" },
        { signal: controller.signal },
      )
      expect(await rejection(call)).toBe(stop)
      await expect
        .poll(async () => (await holdfast.client.tools.runtime_status()).counts.jobs_active, { timeout: 10_000 })
        .toBe(0)
    } finally {
      await place.remove()
    }
  })
})
