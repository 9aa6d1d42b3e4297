import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Base, makeBase } from "./base.ts"
import { DOORS, type Door } from "./doors.ts"
import { doorsIn, rowsOf, withoutDoor } from "./rows.ts"
import { type Step, script } from "./script.ts"

/** What one door answered and left. */
interface Trace {
  readonly results: readonly unknown[]
  readonly rows: ReturnType<typeof rowsOf>
  /** Doors that the ledger names; the base was made through HTTP. */
  readonly doors: readonly string[]
}

let base: Base
let steps: readonly Step[]
let expected: Trace
const [reference, ...others] = DOORS

beforeAll(async () => {
  base = await makeBase()
  steps = script(base)
  if (reference !== undefined) expected = await run(reference)
}, 120_000)
afterAll(() => base.remove())

async function run(door: Door): Promise<Trace> {
  await base.restore()
  const open = await door.open(base)
  const results: unknown[] = []
  for (const step of steps) results.push(withoutDoor(await open.call(step)))
  await open.close()
  return { results, rows: rowsOf(base.place.dataDir), doors: doorsIn(base.place.dataDir) }
}

describe("D66: the same calls through every door", () => {
  it("do what the script says, through the first", () => {
    expect(steps.length).toBeGreaterThanOrEqual(16)
    const kinds = expected.results.map((result) => JSON.parse(JSON.stringify(result)).error?.kind)
    expect(kinds).toEqual(steps.map((step) => step.fails))
    const resultOf = (shows: string) => expected.results[steps.findIndex((step) => step.shows === shows)]
    expect(resultOf("hand-over")).toMatchObject({ output: { promoted_to_job: true, execution_state: "running" } })
    expect(resultOf("its end")).toMatchObject({ output: { results: [{ status: "completed", terminal: true }] } })
    expect(resultOf("over-long output")).toMatchObject({ output: { truncated: true } })
    const blownUp = resultOf("output that escaping blows up")
    expect(blownUp).toMatchObject({ success: true, attached: { budget: { cut: [{ total: 100_000 }] } } })
    expect(JSON.stringify(blownUp).length).toBeLessThanOrEqual(90_000)
    expect(expected.rows.session_events.length).toBeGreaterThan(20)
    expect(expected.rows.open_calls).toEqual([])
  })

  it.each(others.map((door) => [door.name, door] as const))(
    "K38: %s answers and records the same",
    async (_name, door) => {
      const trace = await run(door)
      for (const [index, result] of trace.results.entries()) {
        expect(result, steps[index]?.shows).toEqual(expected.results[index])
      }
      expect(trace.rows).toEqual(expected.rows)
      expect(trace.doors).toContain(door.recordedAs)
    },
    60_000,
  )
})
