import { describe, expect, it } from "vitest"
import type { WorkflowSession } from "../../core/sessions/record.ts"
import type { Current } from "./store.ts"
import { aSession, ids, OWNER } from "./store-fixtures.ts"

/** Workflow Sessions and what `work_on_project` keeps beside them (spec sessions.md §8, workflow.md §12). */
export function sessionContract(current: Current): void {
  describe("sessions", () => {
    const insert = async (...sessions: readonly WorkflowSession[]): Promise<void> => {
      await current().store.write(async (tx) => {
        for (const session of sessions) await tx.sessions.insert(session)
      })
    }
    const projectPk = ids.projectPk()

    it("gives back what was stored", async () => {
      const full = aSession({
        projectPk,
        title: "a title",
        lifecycle: "closed",
        mode: "read_only",
        guards: { deny_write_tools: true, deny_shell_tools: true },
        context: { default_cwd: "pkg", default_shell: "sh", resource: "box" },
        closedAt: 1700,
        repositoryEdited: true,
      })
      const plain = aSession()
      await insert(full, plain)
      const { store } = current()
      const byId = (session: WorkflowSession) => store.read((tx) => tx.sessions.byId(session.sessionId))
      expect(await byId(full)).toEqual({ readable: true, session: full })
      expect(await byId(plain)).toEqual({ readable: true, session: plain })
      expect(await byId(aSession())).toBeUndefined()
    })

    it("updates everything but ownership and the ledger's counters", async () => {
      const session = aSession({ projectPk })
      await insert(session)
      const changed: WorkflowSession = {
        ...session,
        title: "set",
        lifecycle: "closed",
        mode: "read_only",
        guards: { deny_write_tools: true, deny_shell_tools: true },
        context: { default_cwd: "." },
        updatedAt: 2000,
        closedAt: 2000,
      }
      const { store } = current()
      await store.write((tx) => tx.sessions.update({ ...changed, eventsObserved: 99, repositoryEdited: true }))
      const row = await store.read((tx) => tx.sessions.byId(session.sessionId))
      expect(row).toEqual({ readable: true, session: changed })
    })

    it("refuses a context without a Project, a repeated id and a negative counter", async () => {
      await expect(insert(aSession({ context: { default_shell: "sh" } }))).rejects.toThrow()
      await expect(insert(aSession({ eventsObserved: -1 }))).rejects.toThrow()
      const session = aSession()
      await insert(session)
      await expect(insert(session)).rejects.toThrow()
    })

    it("counts active Sessions of a group and of all", async () => {
      await insert(aSession(), aSession({ lifecycle: "closed" }), aSession({ ownerFingerprint: "f".repeat(64) }))
      const { store } = current()
      expect(await store.read((tx) => tx.sessions.countActive(OWNER))).toBe(1)
      expect(await store.read((tx) => tx.sessions.countAllActive())).toBe(2)
    })

    it("lists the newest of a group in a Project, or without one", async () => {
      const other = ids.projectPk()
      const [old, young] = [aSession({ projectPk, updatedAt: 1 }), aSession({ projectPk, updatedAt: 5 })]
      const [free, elsewhere] = [aSession({ updatedAt: 3 }), aSession({ projectPk: other })]
      await insert(old, young, free, elsewhere, aSession({ projectPk, ownerFingerprint: "f".repeat(64) }))
      const { store } = current()
      expect(await store.read((tx) => tx.sessions.recentOf(OWNER, projectPk, 5))).toEqual([young, old])
      expect(await store.read((tx) => tx.sessions.recentOf(OWNER, projectPk, 1))).toEqual([young])
      expect(await store.read((tx) => tx.sessions.recentOf(OWNER, undefined, 5))).toEqual([free])
    })

    it("keeps the coding row of a Session that exists", async () => {
      const session = aSession()
      await insert(session)
      const { store } = current()
      const full = {
        sessionId: session.sessionId,
        rootInstruction: "do it",
        rootRedacted: true,
        baselineTree: "a".repeat(40),
      }
      await store.write((tx) => tx.coding.insert(full))
      expect(await store.read((tx) => tx.coding.bySession(session.sessionId))).toEqual(full)
      const stray = { sessionId: ids.session(), rootInstruction: "x", rootRedacted: false }
      await expect(store.write((tx) => tx.coding.insert(stray))).rejects.toThrow()
      expect(await store.read((tx) => tx.coding.bySession(stray.sessionId))).toBeUndefined()
    })
  })
}
