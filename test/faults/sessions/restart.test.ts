import { expect, it } from "vitest"
import { checkSession } from "../../domain/sessions/session-invariants.ts"
import { workTools } from "../../domain/sessions/work-tools.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { startChild } from "./children.ts"
import { after, type Expected, type Model, type Operation, possibleAfter } from "./model.ts"

/** `HOLDFAST_FULL=1` makes as many kills as the spec names; without it as many operations with fewer kills. */
const isFull = process.env.HOLDFAST_FULL === "1"
const STARTS = isFull ? 200 : 4
const OPERATIONS = 500
const A_LIFE = isFull ? 25 : 60
const RETAINED = 2_000

it(`S35: ${STARTS} times killed as soon as the reply is read: every id resolves`, {
  timeout: isFull ? 7_200_000 : 1_200_000,
}, async () => {
  await using place = await createHarness()
  const ids: string[] = []
  for (let round = 0; round < STARTS; round += 1) {
    await using child = startChild("start-child.ts", place)
    ids.push(await child.line((line) => line.startsWith("wc_sess_")))
    await child.kill()
  }
  expect(new Set(ids).size).toBe(STARTS)
  for (const session_id of ids) {
    expect(await place.ok("session_summary", { session_id })).toMatchObject({ events_total: 1, lifecycle: "active" })
  }
})

async function shown(kernel: Harness, session_id: string): Promise<Expected> {
  const { lifecycle, execution_context, repository_edited, events_total, counts } = await kernel.ok("session_summary", {
    session_id,
  })
  const of = (from: unknown, member: string): unknown =>
    typeof from === "object" && from !== null ? Reflect.get(from, member) : undefined
  return {
    lifecycle: lifecycle === "closed" ? "closed" : "active",
    cwd: typeof of(execution_context, "default_cwd") === "string" ? String(of(execution_context, "default_cwd")) : null,
    edited: repository_edited === true,
    events: Number(events_total),
    succeeded: Number(of(counts, "succeeded")),
    failed: Number(of(counts, "failed")),
  }
}

/** All Sessions that the data directory holds, as they show themselves. */
async function stored(kernel: Harness): Promise<Model> {
  const found = new Map<string, Expected>()
  for (let cursor: unknown; ; ) {
    const page = await kernel.ok("list_sessions", { limit: 50, ...(cursor === undefined ? {} : { cursor }) })
    for (const { session_id } of Array.isArray(page.sessions) ? page.sessions : []) {
      found.set(session_id, await shown(kernel, session_id))
    }
    cursor = page.next_cursor
    if (cursor === undefined) return found
  }
}

interface Life {
  readonly model: Model
  readonly pending: Operation | undefined
  readonly acknowledged: number
}

/** Replays what a child told over the model that it began with. */
function replay(model: Model, lines: readonly string[]): Life {
  let pending: Operation | undefined
  let now = model
  let acknowledged = 0
  for (const line of lines) {
    const value = JSON.parse(line.slice(2))
    if (line.startsWith(">")) pending = value
    else if (pending !== undefined) {
      now = after(now, pending, { made: value.session_id })
      acknowledged += 1
      pending = undefined
    }
  }
  return { model: now, pending, acknowledged }
}

it(`${OPERATIONS} random operations with kill -9 in between: nothing acknowledged is missing, nothing is half there`, {
  timeout: 1_200_000,
}, async () => {
  await using place = await createHarness({ tools: workTools })
  await place.project("a")
  await place.session({ project: "a" })
  await place.session({ project: "a" })
  let model: Model = await stored(place)
  const first = await place.ok("list_sessions", { limit: 1 })
  let operations = 0
  while (operations < OPERATIONS) {
    await using child = startChild("work-child.ts", place, "100000")
    await child.count(2 * Math.ceil(Math.random() * A_LIFE))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 8))
    await child.kill()
    const told = replay(model, child.lines)
    operations += told.acknowledged
    await using again = await createHarness({ beside: place, tools: workTools })
    await again.startUpkeep()
    const found = await stored(again)
    const strangers = [...found.keys()].filter((id) => !told.model.has(id))
    expect(strangers.length).toBeLessThanOrEqual(told.pending?.kind === "start" ? 1 : 0)
    const possible = possibleAfter(told.model, told.pending, strangers[0]).map((each) => Object.fromEntries(each))
    expect(possible).toContainEqual(Object.fromEntries(found))
    for (const id of found.keys()) await checkSession(again, id, RETAINED)
    const open = await again.store.read((tx) => tx.openCalls.ofInstances([]))
    expect(open).toEqual([])
    model = found
  }
  // A cursor of before all kills still leads on.
  expect(await place.ok("list_sessions", { limit: 50, cursor: first.next_cursor })).toMatchObject({ total: model.size })
})
