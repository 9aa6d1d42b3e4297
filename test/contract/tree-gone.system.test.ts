import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { afterEach, describe, expect, it } from "vitest"
import { createLeftovers } from "../../adapters/runners/local/host/leftovers.ts"
import { createNaming } from "../../adapters/runners/local/host/naming.ts"
import { nothingSince } from "../../adapters/runners/local/host/nothing-since.ts"
import { createProcTable } from "../../adapters/runners/local/host/proc-table.ts"
import { createProcessTree, JOB_MARKER, type ProcessTree } from "../../adapters/runners/local/host/tree.ts"
import { createGrace, endTree } from "../../adapters/runners/local/host/tree-kill.ts"
import { createIds } from "../../core/kernel/ids.ts"

const table = createProcTable()
const trees: ProcessTree[] = []

afterEach(async () => {
  for (const tree of trees.splice(0)) await endTree(tree, createGrace(0))
})

/** The tree of a shell text that was started as a Job is, and its first process. */
function begin(
  text: string,
  others: ReadonlySet<number> = new Set(),
): { tree: ProcessTree; child: ChildProcess; jobId: string } {
  const jobId = createIds().job()
  const env = { PATH: process.env.PATH, [JOB_MARKER]: jobId }
  const child = spawn("bash", ["-c", text], { detached: true, stdio: "ignore", env })
  const pid = child.pid ?? 0
  const main = { pid, startTime: table.read(pid)?.startTime ?? 0 }
  const tree = createProcessTree({ jobId, main, others }, table)
  trees.push(tree)
  return { tree, child, jobId }
}

/** Ends what a command left, as its end does. */
async function leftoversOf(tree: ProcessTree): Promise<void> {
  const naming = createNaming(table, (text) => text)
  await createLeftovers("end", { naming, processes: table }).settle(tree)
}

/** The tree once its first process has ended. */
async function afterEnd(text: string): Promise<ProcessTree> {
  const { tree, child } = begin(text)
  await once(child, "exit")
  return tree
}

describe("whether a command left anything behind, without reading the whole table", () => {
  it("nothing is left of one that left nothing, while others start and end", async () => {
    const strangers = Array.from({ length: 5 }, () => once(spawn("sleep", ["0.2"], { stdio: "ignore" }), "exit"))
    const tree = await afterEnd("true; (true); echo a | cat")
    expect(tree.isSurelyGone()).toBe(true)
    expect(tree.members()).toEqual([])
    await Promise.all(strangers)
  })

  it.each([
    ["a child in its session", "sleep 300 &"],
    ["one in a session of its own", "setsid sleep 300 & sleep 0.05"],
    [
      "a twice forked one with other parents and descriptors",
      "(setsid -f sleep 300 </dev/null >/dev/null 2>&1); sleep 0.05",
    ],
    ["one in its session without the marker", "env -i sleep 300 & sleep 0.05"],
    ["one that ignores signals", `(trap "" TERM HUP; exec setsid sleep 300) & sleep 0.05`],
  ])("%s is seen", async (_name, text) => {
    const tree = await afterEnd(text)
    expect(tree.isSurelyGone()).toBe(false)
    // A child that has just been forked still bears its parent's name.
    await expect.poll(() => tree.members().map(({ pid }) => table.commandOf(pid))).toEqual(["sleep 300"])
  })

  it("it is seen behind many that were started since, and not once it was ended", async () => {
    const tree = await afterEnd("setsid sleep 300 & sleep 0.05")
    for (let made = 0; made < 30; made += 1) await once(spawn("true"), "exit")
    expect(tree.isSurelyGone()).toBe(false)
    await endTree(tree, createGrace(0))
    expect(tree.members()).toEqual([])
  })

  it("one that shows no environment yet, as within execve, is looked at again and is no stranger for good", async () => {
    let isHidden = true
    const { tree: real, child, jobId } = begin("setsid sleep 300 & sleep 0.05")
    const pid = child.pid ?? 0
    const hidden = {
      ...table,
      carriesMarker: (one: number, marker: string) => {
        const carries = table.carriesMarker(one, marker)
        return carries === true && isHidden ? undefined : carries
      },
    }
    const main = { pid, startTime: table.read(pid)?.startTime ?? 0 }
    const tree = createProcessTree({ jobId, main }, hidden)
    await once(child, "exit")
    expect(tree.isSurelyGone()).toBe(false)
    expect([tree.members(), tree.isUnsure()]).toEqual([[], true])
    setTimeout(() => {
      isHidden = false
    }, 50)
    const report = await endTree(tree, createGrace(1000))
    expect(report).toMatchObject({ signalled: [{ pid: expect.any(Number) }], survivors: [] })
    expect([real.members(), tree.isUnsure()]).toEqual([[], false])
  })

  it("a child forked between listing and look, by one that then ends, is met by a second look", () => {
    const row = { ppid: 1, startTime: 2, zombie: false }
    const lists = [[], [{ ...row, pid: 12, session: 12 }]]
    const processes = { ...table, newestPid: () => 12, list: () => lists.shift() ?? [], carriesMarker: () => true }
    const tree = createProcessTree({ jobId: createIds().job(), main: { pid: 10, startTime: 1 } }, processes)
    expect(tree.members().map(({ pid }) => pid)).toEqual([12])
  })

  it("daemons that fork and change their program while they are looked for do not survive", async () => {
    for (let run = 0; run < 20; run += 1) {
      const tree = await afterEnd("setsid setsid setsid setsid setsid setsid sleep 300 >/dev/null 2>&1 &")
      await leftoversOf(tree)
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(tree.members()).toEqual([])
    }
  })

  it("others that the same host started are no part of it, nor what they started", async () => {
    const first = begin("sleep 0.2")
    const other = begin("sleep 300; true")
    const others = new Set([other.child.pid ?? 0])
    const asked: number[] = []
    const watched = { ...table, carriesMarker: (pid: number) => asked.push(pid) === 0 }
    const pid = first.child.pid ?? 0
    const main = { pid, startTime: table.read(pid)?.startTime ?? 0 }
    const tree = createProcessTree({ jobId: createIds().job(), main, others }, watched)
    await once(first.child, "exit")
    expect(tree.isSurelyGone()).toBe(true)
    const theirs = other.tree.members().map((row) => row.pid)
    expect(theirs.length).toBeGreaterThan(0)
    expect(asked.filter((one) => theirs.includes(one))).toEqual([])
  })

  it("a chain that forks faster than it is looked at is followed to its end", () => {
    let newest = 101
    const seen: number[] = []
    const isGone = nothingSince(100, { newestPid: () => newest }, (pid) => {
      seen.push(pid)
      if (newest < 110) newest += 1
      return pid === 110
    })
    expect([isGone, seen]).toEqual([false, [101, 102, 103, 104, 105, 106, 107, 108, 109, 110]])
  })

  it.each([
    ["the system does not tell", undefined],
    ["numbers begin anew", 99],
    ["there are too many", 100_000],
  ])("it cannot be told where %s", (_name, newest) => {
    expect(nothingSince(100, { newestPid: () => newest }, () => false)).toBe(false)
  })
})
