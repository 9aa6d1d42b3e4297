import { expect, it } from "vitest"
import { createIds, sessionIdSchema } from "../../../core/kernel/ids.ts"
import { recoverCalls } from "../../../core/kernel/recovery.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { createHarness } from "../../support/harness.ts"
import { prepareBatch } from "./batch.ts"
import { runScript } from "./children.ts"

it.each([
  ["planned", { status: "failed", error: { kind: "interrupted" }, evidence: { state_changed: false } }],
  ["applied:7", { status: "failed", error: { kind: "interrupted" }, evidence: { state_changed: false } }],
  ["committed", { status: "succeeded", evidence: { state_changed: true } }],
  ["cleaned", { status: "succeeded", evidence: { state_changed: true } }],
])("F42: a call killed after %s is told from its journal", async (step, end) => {
  await using harness = await createHarness()
  const { root, dataDir } = { ...(await harness.project("a")), dataDir: harness.dataDir }
  const sessionId = sessionIdSchema.parse(await harness.session({ project: "a" }))
  const project = await harness.store.read((tx) => tx.projects.bySlug("a"))
  const ids = createIds()
  const [callId, invocationId, instance] = [ids.call(), ids.invocation(), ids.instance()]
  await harness.store.write((tx) =>
    tx.openCalls.insert([
      {
        callId,
        invocationId,
        role: "business",
        sessionId,
        tool: "apply_text_edits",
        instance,
        startedAt: 1,
        startedSeq: 1,
      },
    ]),
  )
  prepareBatch({ root, dataDir })
  const { signal } = await runScript("killed-child.ts", [root, dataDir, step, project?.pk ?? "", invocationId])
  expect(signal).toBe("SIGKILL")

  const ledger = createLedger({ ids, redact: (text) => text })
  expect(await recoverCalls({ ...harness, ledger }, [instance])).toBe(1)
  const finished = (await harness.callEvents(sessionId)).at(-1)
  expect(finished).toMatchObject({ kind: "tool_call_finished", call_id: callId, recovered: true, ...end })
})
