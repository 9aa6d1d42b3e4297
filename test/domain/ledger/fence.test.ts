import { expect, it } from "vitest"
import { createIds } from "../../../core/kernel/ids.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { fenceOf, isTripped, rebased } from "../../../core/ledger/fence.ts"
import { readSession } from "../../../core/sessions/read.ts"
import { aSession } from "../../contract/store-fixtures.ts"
import { finishedDraft } from "./drafts.ts"
import { openTestStore } from "./stored.ts"

it("S41: what the reader did not append trips the fence; its own append moves it along iff nothing came between", async () => {
  await using stored = await openTestStore()
  const ledger = createLedger({ ids: createIds(), redact: (text) => text })
  const { sessionId } = await stored.store.write(async (tx) => {
    const session = aSession()
    await tx.sessions.insert(session)
    return session
  })
  const append = () => stored.store.write((tx) => ledger.append(tx, sessionId, [finishedDraft()]))
  const fence = async (revision = 0) =>
    fenceOf(await stored.store.read((tx) => readSession(tx, sessionId)), { revision })
  await append()
  const captured = await fence()
  expect(isTripped(captured, await fence())).toBe(false)
  expect(isTripped(captured, await fence(1))).toBe(true)
  const own = rebased(captured, await append())
  expect(isTripped(own, await fence())).toBe(false)
  await append()
  const late = rebased(own, await append())
  expect(isTripped(late, await fence())).toBe(true)
  expect(isTripped(own, undefined)).toBe(true)
})
