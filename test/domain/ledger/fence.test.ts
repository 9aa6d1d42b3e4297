import { expect, it } from "vitest"
import { createIds, type SessionId, sessionIdSchema } from "../../../core/kernel/ids.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { type Fence, isTripped, readFence, rebased } from "../../../core/ledger/fence.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { finishedDraft } from "./drafts.ts"

const ledger = createLedger({ ids: createIds(), redact: (text) => text })

const append = (kernel: Harness, sessionId: SessionId) =>
  kernel.store.write((tx) => ledger.append(tx, sessionId, [finishedDraft()]))

async function taken(kernel: Harness, sessionId: SessionId): Promise<Fence> {
  const fence = await kernel.store.read((tx) => readFence(tx, sessionId))
  if (fence === undefined) throw new Error("The Session is gone.")
  return fence
}

it("S41: a post trips the fence; a resolve that changes nothing does not", async () => {
  await using kernel = await createHarness()
  const session_id = sessionIdSchema.parse(await kernel.session({}))
  const captured = await taken(kernel, session_id)
  const todo = await kernel.ok("post_session_message", { session_id, kind: "todo", message: "do it" })
  expect(isTripped(captured, await taken(kernel, session_id))).toBe(true)
  const resolve = () => kernel.ok("resolve_session_message", { session_id, message_id: todo.message_id })
  await resolve()
  const resolved = await taken(kernel, session_id)
  await resolve()
  expect(isTripped(resolved, await taken(kernel, session_id))).toBe(false)
})

it("S41: the reader's own append moves the fence along iff nothing foreign came between", async () => {
  await using kernel = await createHarness()
  const session_id = sessionIdSchema.parse(await kernel.session({}))
  await append(kernel, session_id)
  const captured = await taken(kernel, session_id)
  const own = rebased(captured, await append(kernel, session_id))
  expect(isTripped(own, await taken(kernel, session_id))).toBe(false)
  await append(kernel, session_id)
  const late = rebased(own, await append(kernel, session_id))
  expect(isTripped(late, await taken(kernel, session_id))).toBe(true)
  expect(
    isTripped(own, await kernel.store.read((tx) => readFence(tx, sessionIdSchema.parse("wc_sess_0123456789abcdef")))),
  ).toBe(true)
})
