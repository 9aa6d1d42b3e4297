import { expect, it } from "vitest"
import { createProcTable } from "../../adapters/runners/local/host/proc-table.ts"
import { createPsTable } from "../../adapters/runners/local/host/ps-table.ts"
import { createProcessTree } from "../../adapters/runners/local/host/tree.ts"
import { createGrace, endTree } from "../../adapters/runners/local/host/tree-kill.ts"
import { createIds } from "../../core/kernel/ids.ts"
import { processTableContract, realTree } from "./process-table.ts"

processTableContract("/proc", createProcTable)
processTableContract("ps", createPsTable)

it("both tables name the same tree, processes and their commands", async () => {
  const [proc, ps] = [createProcTable(), createPsTable()]
  const tree = await realTree(proc)
  const main = { pid: tree.mainPid, startTime: ps.read(tree.mainPid)?.startTime ?? 0 }
  const same = createProcessTree({ jobId: createIds().job(), main }, ps)
  const pids = tree
    .members()
    .map((row) => row.pid)
    .sort()
  expect(
    same
      .members()
      .map((row) => row.pid)
      .sort(),
  ).toEqual(pids)
  expect(pids.map(ps.commandOf)).toEqual(pids.map(proc.commandOf))
  for (const row of same.members()) {
    const exact = proc.wallClockOf(proc.read(row.pid)?.startTime ?? 0)
    expect(Math.abs(ps.wallClockOf(row.startTime) - exact)).toBeLessThan(3000)
  }
  expect((await endTree(same, createGrace(0))).survivors).toEqual([])
  expect(tree.members()).toEqual([])
})
