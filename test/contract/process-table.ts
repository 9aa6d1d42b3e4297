import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import type { ProcessTable } from "../../adapters/runners/local/host/process-table.ts"
import { createProcessTree, type ProcessTree } from "../../adapters/runners/local/host/tree.ts"
import { createGrace, endTree } from "../../adapters/runners/local/host/tree-kill.ts"
import { createIds } from "../../core/kernel/ids.ts"

/** A real tree of four: a shell that heeds no SIGTERM, its child and grandchildren, one of them in a group of its own. */
export async function realTree(table: ProcessTable): Promise<ProcessTree & { readonly mainPid: number }> {
  const text = `trap "" TERM; (setsid sleep 300 & sleep 301; true) & wait`
  const child = spawn("bash", ["-c", text], { detached: true, stdio: "ignore" })
  await once(child, "spawn")
  const mainPid = child.pid ?? 0
  const main = { pid: mainPid, startTime: table.read(mainPid)?.startTime ?? 0 }
  const tree = createProcessTree({ jobId: createIds().job(), main }, table)
  const commands = () => tree.members().map((row) => table.commandOf(row.pid))
  await expect.poll(commands, { timeout: 10_000 }).toEqual(expect.arrayContaining(["sleep 300", "sleep 301"]))
  return { ...tree, mainPid }
}

/** What every process table promises (spec exec-and-jobs.md §8.2). */
export function processTableContract(name: string, open: () => ProcessTable): void {
  describe(`process table: ${name}`, () => {
    it("knows this process, its parent and when it started, and no process that is gone", async () => {
      const table = open()
      const self = table.read(process.pid)
      expect(self).toMatchObject({ pid: process.pid, ppid: process.ppid, zombie: false })
      expect(table.list()).toContainEqual(self)
      expect(table.list((pid) => pid === process.pid)).toEqual([self])
      const started = Date.now() - performance.now()
      expect(Math.abs(table.wallClockOf(self?.startTime ?? 0) - started)).toBeLessThan(60_000)
      const child = spawn("true")
      await once(child, "exit")
      expect(table.read(child.pid ?? 0)).toBeUndefined()
      expect(table.commandOf(child.pid ?? 0)).toBe("")
      expect(table.bootId()).toBe(table.bootId())
    })

    it("shows the command with its arguments", async () => {
      const table = open()
      const child = spawn("sleep", ["302"])
      await once(child, "spawn")
      expect(table.commandOf(child.pid ?? 0)).toBe("sleep 302")
      child.kill("SIGKILL")
      await once(child, "exit")
    })

    it("finds a whole tree and ends it", async () => {
      const table = open()
      const tree = await realTree(table)
      const { mainPid } = tree
      const members = tree.members()
      expect(members.map((row) => row.pid)).toContain(mainPid)
      expect(members).toHaveLength(4)
      const report = await endTree(tree, createGrace(200))
      expect(report.survivors).toEqual([])
      expect(report.signalled.map((row) => row.pid).sort()).toEqual(members.map((row) => row.pid).sort())
      const left = table.list().filter((row) => !row.zombie && members.some(({ pid }) => pid === row.pid))
      expect(left).toEqual([])
    })
  })
}
