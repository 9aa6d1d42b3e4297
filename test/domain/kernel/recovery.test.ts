import { describe, expect, it } from "vitest"
import { createIds } from "../../../core/kernel/ids.ts"
import type { Instance } from "../../../core/kernel/instances.ts"
import { Presence } from "../../../core/kernel/presence.ts"
import { FakeClock } from "../../support/fake-clock.ts"
import { type CallFinish, createHarness, type Harness } from "../../support/harness.ts"
import { testTool } from "../../support/test-tool.ts"
import { createTestTools } from "../../support/test-tools.ts"

const GONE = {
  self: () => ({ host: "h", pid: 1, pidStartedAt: "1" }),
  isGone: (other: Pick<Instance, "host">) => other.host === "dead",
}

async function finishesOf(harness: Harness, session: string): Promise<readonly CallFinish[]> {
  const events = await harness.callEvents(session)
  return events.filter((event) => event.kind === "tool_call_finished")
}

/** A harness whose process is taken for dead while its calls hang. */
async function dyingHarness(tools: ReturnType<typeof createTestTools>): Promise<Harness> {
  const harness = await createHarness({
    tools: tools.definitions,
    probe: { self: () => ({ host: "dead", pid: 1, pidStartedAt: "1" }), isGone: () => false },
  })
  await harness.startUpkeep()
  return harness
}

describe("recovery", () => {
  it("K35: two processes tell the end of a dead one's calls once: interrupted, or nobody knows", async () => {
    const tools = createTestTools()
    await using dead = await dyingHarness(tools)
    const observed = await dead.session()
    const stored = await dead.session()
    const executed = await dead.session()
    const hanging = [
      dead.call("t_wait", { session_id: observed, ms: 4_000 }),
      dead.call("t_commit", { session_id: stored, ms: 4_000 }),
      dead.call("t_run", { session_id: executed, ms: 4_000 }, { key: "key-0123456789abcdef" }),
    ]
    await new Promise((resolve) => setTimeout(resolve, 300))
    await using one = await createHarness({ tools: tools.definitions, beside: dead, probe: GONE })
    await using two = await createHarness({ tools: tools.definitions, beside: dead, probe: GONE })
    await Promise.all([one.startUpkeep(), two.startUpkeep()])

    const ends = async (session: string) =>
      (await finishesOf(one, session)).map(({ status, error, recovered, door }) => ({
        status,
        kind: error?.kind,
        recovered,
        door,
      }))
    const end = (kind: string) => [{ status: "failed", kind, recovered: true, door: "system" }]
    expect(await ends(observed)).toEqual(end("interrupted"))
    expect(await ends(stored)).toEqual(end("interrupted"))
    expect(await ends(executed)).toEqual(end("outcome_unknown"))
    expect((await finishesOf(one, observed))[0]?.evidence).toEqual({ state_changed: false })
    const repeated = await one.call("t_run", { session_id: executed, ms: 4_000 }, { key: "key-0123456789abcdef" })
    expect(repeated).toMatchObject({ httpStatus: 200, replayed: true })
    expect(repeated.result).toMatchObject({ success: false, error: { kind: "outcome_unknown" } })

    const [wait, commit, run] = await Promise.all(hanging)
    expect(wait?.result.attached?.session_record).toMatchObject({ recorded: false, reason: "recovered" })
    expect(run?.result).toMatchObject({ success: true })
    expect(run?.result.attached?.session_record).toMatchObject({ recorded: false, reason: "recovered" })
    // What recovery told as "nothing changed" must not change afterwards.
    expect(commit?.result).toMatchObject({ success: false, error: { kind: "interrupted", recovery: "retry_same" } })
    expect(await ends(stored)).toEqual(end("interrupted"))
    expect(await ends(executed)).toEqual(end("outcome_unknown"))
  })

  it("asks a definition's recover by call id, and believes it", async () => {
    const asked: unknown[] = []
    const effectful = testTool({
      name: "t_effect",
      effect: "mutate",
      mutates: "workspace",
      risk: "write",
      recover: async (open) => {
        asked.push(open.hint)
        return { status: "succeeded", evidence: { state_changed: true } }
      },
      handler: async (_input, call) => {
        await call.ports.store.write((tx) => call.hint(tx, { project_pk: "p" }))
        await call.ports.clock.sleep(3_000, call.signal)
        return { text: "late" }
      },
    })
    await using dead = await createHarness({
      tools: [effectful],
      probe: { self: () => ({ host: "dead", pid: 1, pidStartedAt: "1" }), isGone: () => false },
    })
    await dead.startUpkeep()
    const recorder = await dead.session()
    const hanging = dead.call("t_effect", {}, { recorder })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await using other = await createHarness({ tools: [effectful], beside: dead, probe: GONE })
    await other.startUpkeep()
    expect(asked).toEqual([{ project_pk: "p" }])
    expect(await finishesOf(other, recorder)).toMatchObject([
      { status: "succeeded", recovered: true, evidence: { state_changed: true }, role: "recorder" },
    ])
    await hanging
  })

  it("leaves live instances' calls alone", async () => {
    const tools = createTestTools()
    await using live = await createHarness({ tools: tools.definitions, probe: GONE })
    await live.startUpkeep()
    const session = await live.session()
    const running = live.call("t_wait", { session_id: session, ms: 800 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    await using other = await createHarness({ tools: tools.definitions, beside: live, probe: GONE })
    const upkeep = await other.startUpkeep()
    expect(await upkeep.recover()).toBe(0)
    expect((await running).result.attached?.session_record?.recorded).toBe(true)
    expect(await finishesOf(live, session)).toHaveLength(1)
  })
})

describe("presence", () => {
  const probe = { self: () => ({ host: "h", pid: 2, pidStartedAt: "2" }), isGone: () => false }

  async function withPresence(test: (presence: Presence, clock: FakeClock, harness: Harness) => Promise<void>) {
    const clock = new FakeClock()
    await using harness = await createHarness({ clock })
    const ids = createIds()
    const { store } = harness
    const old = { instance: ids.instance(), host: "x", pid: 9, pidStartedAt: "9", startedAt: 0, seenAt: clock.now() }
    await store.write((tx) => tx.instances.insert(old))
    const presence = new Presence({ store, clock, probe, instance: ids.instance() })
    await presence.register()
    await test(presence, clock, harness)
  }

  it("judges by age only after two own renewals close together", async () => {
    await withPresence(async (presence, clock) => {
      await clock.advance(31_000)
      expect(await presence.dead()).toEqual([])
      await presence.renew()
      expect(await presence.dead()).toEqual([])
      await clock.advance(10_000)
      await presence.renew()
      expect(await presence.dead()).toEqual([])
      await clock.advance(5_000)
      expect(await presence.dead()).toHaveLength(1)
    })
  })

  it("a process that was suspended, or whose wall clock jumped, waits before it judges", async () => {
    await withPresence(async (presence, clock) => {
      await clock.advance(10_000)
      await presence.renew()
      clock.setWall(clock.now() + 3_600_000)
      expect(await presence.dead()).toEqual([])
      await presence.renew()
      await clock.advance(10_000)
      await presence.renew()
      expect(await presence.dead()).toEqual([])
      await clock.advance(6_000)
      expect(await presence.dead()).toHaveLength(1)
    })
  })

  it("leaves its row behind while calls of it are open", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const upkeep = await harness.startUpkeep()
    const running = harness.call("t_change", { ms: 500 })
    await new Promise((resolve) => setTimeout(resolve, 150))
    await upkeep.stop()
    expect(await harness.store.read((tx) => tx.instances.list())).toHaveLength(1)
    await running
    await upkeep.stop()
    expect(await harness.store.read((tx) => tx.instances.list())).toEqual([])
  })
})
