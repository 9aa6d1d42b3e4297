import { describe, expect, it } from "vitest"
import type { RunnerHost } from "../../core/runners/host-store.ts"
import { ENDED_SHELL_STATES, LIVE_SHELL_STATES, type Shell } from "../../core/shells/record.ts"
import type { Current } from "./store.ts"
import { aShell, ids } from "./store-fixtures.ts"

/** Shell rows and the row of the Runner host (spec shells.md §15). */
export function shellContract(current: Current): void {
  const insert = async (...shells: readonly Shell[]): Promise<void> => {
    await current().store.write(async (tx) => {
      for (const shell of shells) await tx.shells.insert(shell)
    })
  }
  const byUid = ({ shellUid }: Shell) => current().store.read((tx) => tx.shells.byUid(shellUid))

  describe("shells", () => {
    it("gives back what was stored", async () => {
      const full = aShell({
        family: "bound",
        shellId: ids.boundShell(),
        sessionId: ids.session(),
        projectPk: ids.projectPk(),
        target: {
          kind: "ssh",
          label: "me@box",
          host: "box",
          user: "me",
          port: 2222,
          resource: "r",
          resourceGeneration: "g",
        },
        outputBudgetJson: "{}",
        fenceJson: '{"deny":["rm"]}',
        state: "closed",
        reason: "destroyed",
        hostId: ids.instance(),
        guardFingerprint: "f",
        policyFingerprint: "p",
        openDigest: "d",
        closedAt: 9,
        lastCwd: "/tmp",
      })
      const plain = aShell()
      await insert(full, plain)
      expect(await byUid(full)).toEqual(full)
      expect(await current().store.read((tx) => tx.shells.byId(plain.shellId))).toEqual(plain)
      expect(await byUid(aShell())).toBeUndefined()
      expect(await current().store.read((tx) => tx.shells.byId("none"))).toBeUndefined()
    })

    it("updates the expected revision once, and never a shell that has ended", async () => {
      const shell = aShell()
      await insert(shell)
      const { store } = current()
      expect(await store.write((tx) => tx.shells.update({ ...shell, generation: 3 }, shell))).toBe(true)
      expect(await store.write((tx) => tx.shells.update(shell, shell))).toBe(false)
      expect(await byUid(shell)).toEqual({ ...shell, generation: 3, revision: 2 })
      for (const state of ENDED_SHELL_STATES) {
        const ended = aShell({ state })
        await insert(ended)
        expect(await store.write((tx) => tx.shells.update({ ...ended, state: "running" }, ended))).toBe(false)
        expect(await byUid(ended)).toEqual(ended)
      }
    })

    it("allows one live shell of a Session and one row of an id", async () => {
      const bound = { family: "bound", sessionId: ids.session(), projectPk: ids.projectPk() } as const
      await insert(aShell({ ...bound, state: "closed", closedAt: 1 }), aShell({ ...bound, state: "running" }))
      for (const state of LIVE_SHELL_STATES) await expect(insert(aShell({ ...bound, state }))).rejects.toThrow()
      await insert(aShell({ ...bound, state: "lost", closedAt: 1 }), aShell(), aShell())
      const taken = aShell()
      await insert(taken)
      await expect(insert(aShell({ shellId: taken.shellId }))).rejects.toThrow()
    })

    it("tells the live ones, oldest first, and counts them", async () => {
      const [sessionId, projectPk, hostId] = [ids.session(), ids.projectPk(), ids.instance()]
      await insert(
        aShell({ createdAt: 3, ownerPrincipal: "other" }),
        aShell({ createdAt: 1, state: "opening", hostId }),
        aShell({ createdAt: 2, state: "recovering", family: "bound", sessionId, projectPk }),
        aShell({ createdAt: 4, state: "poisoned" }),
        aShell({ createdAt: 5, state: "closed", hostId }),
      )
      const { store } = current()
      const times = async (filter: Parameters<Parameters<Parameters<typeof store.read>[0]>[0]["shells"]["live"]>[0]) =>
        (await store.read((tx) => tx.shells.live(filter))).map(({ createdAt }) => createdAt)
      expect(await times({})).toEqual([1, 2, 3])
      expect(await times({ family: "free" })).toEqual([1, 3])
      expect(await times({ family: "free", ownerPrincipal: "other" })).toEqual([3])
      expect(await times({ sessionId })).toEqual([2])
      expect(await times({ projectPk })).toEqual([2])
      expect(await times({ hostId })).toEqual([1])
      expect(await store.read((tx) => tx.shells.countLive("free"))).toBe(2)
      expect(await store.read((tx) => tx.shells.countLive("bound"))).toBe(1)
    })

    it("tells a Session's live shell before its later ended ones, and the last of those", async () => {
      const bound = { family: "bound", sessionId: ids.session(), projectPk: ids.projectPk() } as const
      const of = () => current().store.read((tx) => tx.shells.ofSession(bound.sessionId))
      expect(await of()).toBeUndefined()
      const first = aShell({ ...bound, state: "closed", createdAt: 1 })
      const second = aShell({ ...bound, state: "lost", createdAt: 5 })
      await insert(first, second)
      expect(await of()).toEqual(second)
      const live = aShell({ ...bound, createdAt: 3 })
      await insert(live)
      expect(await of()).toEqual(live)
    })

    it("knows the names of server processes that retained rows carry", async () => {
      await insert(aShell({ shellId: "0af9-1_local" }))
      const { store } = current()
      expect(await store.read((tx) => tx.shells.hasRun("0af9"))).toBe(true)
      expect(await store.read((tx) => tx.shells.hasRun("0af8"))).toBe(false)
    })

    it("names what retention is over for, oldest end first, and removes it", async () => {
      const [old, older, fresh] = [5, 3, 20].map((closedAt) => aShell({ state: "closed", closedAt }))
      const live = aShell({ createdAt: 1 })
      if (old === undefined || older === undefined || fresh === undefined) throw new Error("three were made")
      await insert(old, older, fresh, live)
      const { store } = current()
      const expired = (limit: number) => store.read((tx) => tx.shells.expired({ endedBefore: 10, limit }))
      expect(await expired(9)).toEqual([older.shellUid, old.shellUid])
      expect(await expired(1)).toEqual([older.shellUid])
      await store.write((tx) => tx.shells.remove([older.shellUid, old.shellUid]))
      await store.write((tx) => tx.shells.remove([]))
      expect(await byUid(old)).toBeUndefined()
      expect(await byUid(fresh)).toEqual(fresh)
      expect(await byUid(live)).toEqual(live)
    })
  })

  describe("the Runner host", () => {
    const host = (hostId: string, more: Partial<RunnerHost> = {}): RunnerHost => ({
      hostId,
      pid: 7,
      pidStartedAt: "123",
      bootId: "b",
      runtime: "/run/x",
      socket: "/run/x/socket",
      protocol: 1,
      version: "1.0.0",
      startedAt: 5,
      ...more,
    })

    it("has one holder: who claims first, until it is replaced or lets go", async () => {
      const { store } = current()
      const now = () => store.read((tx) => tx.runnerHosts.current())
      expect(await now()).toBeUndefined()
      expect(await store.write((tx) => tx.runnerHosts.claim(host("a")))).toBe(true)
      expect(await store.write((tx) => tx.runnerHosts.claim(host("b")))).toBe(false)
      expect(await now()).toEqual(host("a"))
      expect(await store.write((tx) => tx.runnerHosts.replace("a", host("a", { pid: 8 })))).toBe(true)
      expect(await now()).toEqual(host("a", { pid: 8 }))
      expect(await store.write((tx) => tx.runnerHosts.replace("a", host("b")))).toBe(true)
      expect(await store.write((tx) => tx.runnerHosts.replace("a", host("c")))).toBe(false)
      expect(await store.write((tx) => tx.runnerHosts.release("a"))).toBe(false)
      expect(await now()).toEqual(host("b"))
      expect(await store.write((tx) => tx.runnerHosts.release("b"))).toBe(true)
      expect(await now()).toBeUndefined()
    })
  })
}
