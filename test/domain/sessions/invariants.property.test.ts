import path from "node:path"
import Database from "better-sqlite3"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { expireSession } from "../../../core/sessions/retention.ts"
import { type KernelUnderTest, startKernel } from "./kernel-under-test.ts"
import { run, type SessionCommand, sessionCommand } from "./session-commands.ts"
import { checkSession } from "./session-invariants.ts"

/** Commands in rounds of two: the first runs in one process's kernel, the second at the same time in another one's. */
const rounds = fc.array(fc.tuple(sessionCommand, sessionCommand), { minLength: 4, maxLength: 20 })

const start: SessionCommand = { kind: "start", mode: "normal", denyWrite: false, denyShell: false }

/** Runs rounds over Sessions of their own; the ids of all that were made. */
async function runRounds(
  kernels: readonly [KernelUnderTest, KernelUnderTest],
  list: readonly (readonly [SessionCommand, SessionCommand])[],
  between: (sessions: readonly string[]) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const first = await run(kernels[0], start, [])
  const sessions = first === undefined ? [] : [first]
  for (const [one, other] of list) {
    const known = [...sessions]
    const made = await Promise.all([run(kernels[0], one, known), run(kernels[1], other, known)])
    sessions.push(...made.filter((id) => id !== undefined))
    await between(sessions)
  }
  return sessions
}

describe("random commands from two kernels on one data directory", () => {
  it.each([2_000, 9])(
    "S-I1 – S-I5, S-I10: hold with %i retained events",
    { timeout: 120_000 },
    async (retainedEvents) => {
      await using one = await startKernel({ sessionLimits: { retainedEvents } })
      await using two = await startKernel({ beside: one, sessionLimits: { retainedEvents } })
      await one.project("a")
      await fc.assert(
        fc.asyncProperty(rounds, async (list) => {
          for (const id of await runRounds([one, two], list)) await checkSession(two, id, retainedEvents)
        }),
        { numRuns: 8 },
      )
    },
  )

  it("S-I8, S-I9: an edit stays known, and every id ever returned resolves or is a tombstone", {
    timeout: 120_000,
  }, async () => {
    await using one = await startKernel({ sessionLimits: { retainedEvents: 9 } })
    await using two = await startKernel({ beside: one, sessionLimits: { retainedEvents: 9 } })
    await one.project("a")
    await fc.assert(
      fc.asyncProperty(rounds, async (list) => {
        const edited = new Set<string>()
        const gone = new Set<string>()
        const resolves = async (session_id: string): Promise<void> => {
          const { result } = await two.call("session_summary", { session_id, limit: 0 })
          if (!result.success) {
            expect([gone.has(session_id), result.error.details]).toMatchObject([true, { reason: "expired" }])
            return
          }
          const isEdited = Reflect.get(result.output, "repository_edited") === true
          expect(isEdited || !edited.has(session_id)).toBe(true)
          if (isEdited) edited.add(session_id)
        }
        const made = await runRounds([one, two], list, async (sessions) => {
          for (const id of sessions) await resolves(id)
          const [oldest = ""] = sessions
          const end = gone.has(oldest)
            ? "expired"
            : await one.store.write((tx) => expireSession(tx, sessionIdSchema.parse(oldest), 7))
          if (end === "expired") gone.add(oldest)
        })
        for (const id of made) await resolves(id)
      }),
      { numRuns: 5 },
    )
  })

  it("S-I6: without all other Sessions a Session answers as before", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (list) => {
        await using one = await startKernel()
        await using two = await startKernel({ beside: one })
        await one.project("a")
        const made = await runRounds([one, two], list)
        const session_id = made[list.length % made.length] ?? ""
        const ask = () => one.ok("session_summary", { session_id, limit: 200 })
        const before = await ask()
        const database = new Database(path.join(one.dataDir, "holdfast.db"))
        database.pragma("foreign_keys = ON")
        database.prepare("delete from sessions where session_id <> ?").run(session_id)
        database.close()
        expect(await ask()).toEqual(before)
        expect(await one.ok("list_sessions", {})).toMatchObject({ total: 1, sessions: [{ session_id }] })
      }),
      { numRuns: 3 },
    )
  })
})

it("S-I7: no credential, secret, command or instruction of another Session is in a Session's rows", async () => {
  await using kernel = await startKernel()
  await kernel.project("a")
  kernel.secrets.register("S", "registered-secret-value")
  const mine = await kernel.session({ project: "a", title: "uses registered-secret-value" })
  const other = await kernel.session({ project: "a" })
  await kernel.ok("work_on_project", { project: "a", session_id: other, instruction: "instruction-of-the-other" })
  const command = "echo command-text-and-its-output; # Bearer abcdefghijklmnopqrstuvwxyz"
  await kernel.ok("run_shell", { project: "a", session_id: mine, command }, { recorder: other })
  await kernel.ok("t_read", { session_id: mine, note: "registered-secret-value" })
  const database = new Database(path.join(kernel.dataDir, "holdfast.db"), { readonly: true })
  const rowsOf = (id: string): string =>
    JSON.stringify(
      ["sessions", "session_events", "coding_sessions", "open_calls"].map((table) =>
        database.prepare(`select * from ${table} where session_id = ?`).all(id),
      ),
    )
  for (const never of ["registered-secret-value", "command-text-and-its-output", "abcdefghijklmnopqrstuvwxyz"]) {
    expect(rowsOf(mine) + rowsOf(other)).not.toContain(never)
  }
  expect(rowsOf(other)).toContain("instruction-of-the-other")
  expect(rowsOf(mine)).not.toContain("instruction-of-the-other")
  database.close()
})
