import fc from "fast-check"
import { expect, it } from "vitest"
import { createIds, type SessionId } from "../../../core/kernel/ids.ts"
import { canonical } from "../../../core/ledger/canonical.ts"
import { countCalls } from "../../../core/ledger/counts.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { finishedCalls } from "../../../core/ledger/finished-call.ts"
import { acceptedPath, boundPaths } from "../../../core/ledger/paths.ts"
import { accepted, decideStart } from "../../../core/sessions/rules.ts"
import { finishedDraft, finishedEvent } from "./drafts.ts"
import { openTestStore } from "./stored.ts"

const ids = createIds()
const invocations = Array.from({ length: 4 }, () => ids.invocation())

const call = fc.record({
  invocation_id: fc.constantFrom(...invocations),
  role: fc.constantFrom("recorder" as const, "business" as const),
  status: fc.constantFrom("succeeded" as const, "failed" as const),
})

it("S-I5: the canonical view is the same read twice, keeps order, and counts equal twins once", () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
      const events = calls.map((over, index) => finishedEvent(index + 1, over))
      const view = canonical(events)
      const seqs = view.map(({ seq }) => seq)
      expect(canonical(view)).toEqual(view)
      expect(seqs).toEqual([...seqs].sort((one, other) => one - other))
      const groups = invocations.map((id) => events.filter(({ invocation_id }) => invocation_id === id))
      const collapsed = groups.filter(
        ([one, other, more]) =>
          one !== undefined &&
          other !== undefined &&
          more === undefined &&
          one.role !== other.role &&
          one.status === other.status,
      )
      expect(countCalls(finishedCalls(events)).tool_calls).toBe(events.length - collapsed.length)
    }),
  )
})

it("a kept path is relative, plain, and kept as it is when kept again", () => {
  const part = fc.constantFrom("a", "b.ts", "..", ".", "", "~", "C:", "x y", "\\", "\u0007")
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const kept = acceptedPath(parts.join("/"))
      if (kept === undefined) return
      expect(kept).not.toMatch(/^[/~]|\\|(^|\/)\.{0,2}(\/|$)/)
      expect(acceptedPath(kept)).toBe(kept)
    }),
  )
})

it("the count of paths is never less than what is kept", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 20 }), fc.nat(50), (named, more) => {
      const { paths, total } = boundPaths(named, named.length + more)
      expect(total).toBeGreaterThanOrEqual(paths.length)
    }),
  )
})

it("S-I1, S-I8: the newest events are retained without gap and an edit stays known", async () => {
  await using stored = await openTestStore()
  const retained = 5
  const ledger = createLedger({ ids, redact: (text) => text, limits: { retainedEvents: retained } })
  const edit = finishedDraft({ activity: "edit", effect: "mutate", evidence: { state_changed: true } })
  const read = finishedDraft()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
      async (batches) => {
        const sessionId: SessionId = ids.session()
        const command = { sessionId, ownerFingerprint: "0".repeat(64), at: 1 }
        const session = accepted(decideStart(command, { active: 0, max: 10 }))
        await stored.store.write((tx) => tx.sessions.insert(session))
        let edited = false
        for (const batch of batches) {
          await stored.store.write((tx) =>
            ledger.append(
              tx,
              sessionId,
              batch.map((isEdit) => (isEdit ? edit : read)),
            ),
          )
          edited ||= batch.includes(true)
          const row = await stored.store.read((tx) => tx.sessions.byId(sessionId))
          expect(row).toMatchObject({ session: { repositoryEdited: edited } })
        }
        const total = batches.flat().length
        const seqs = (await stored.store.read((tx) => tx.ledger.all(sessionId))).map(({ seq }) => seq)
        const first = Math.max(1, total - retained + 1)
        expect(seqs).toEqual(Array.from({ length: total - first + 1 }, (_, index) => first + index))
      },
    ),
    { numRuns: 15 },
  )
})
