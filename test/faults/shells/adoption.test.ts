import { describe, expect, it } from "vitest"
import { openLine } from "./line.ts"

describe("shells of a host that died", () => {
  it("L43: an idle one goes on: same process, same state, no restart", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["echo $$ > pid; A=kept; f() { echo F; }; cd /usr"] }])
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "running", generation: 0, cwd: "/usr" })
    const shell = line.shell(host, orphan.uid)
    const ran = await shell.run("echo $$ $A; f; pwd")
    expect(ran.stdout).toBe(`${(await line.file("pid"))?.trim()} kept\nF\n/usr\n`)
    expect(ran.facts).toMatchObject({ outputGap: false, shell: { generation: 0 } })
    expect(ran.facts.shell?.restarted).toBe(undefined)
  })

  it("L42: a running command ends with its real status, and the shell is as it left it", async () => {
    await using line = await openLine()
    const [orphan] = await line.die(
      [{ last: "echo head; touch up; sleep 1; echo tail; B=after; (exit 6)" }],
      async () => (await line.file("up")) !== undefined,
    )
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    expect(await host.facts(orphan.jobId)).toMatchObject({ state: "running" })
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 6 }, outputGap: true })
    const page = await host.read(orphan.jobId, "stdout", { from: 0, max: 1000 })
    expect(Buffer.from(page?.bytes ?? []).toString()).toBe("head\ntail\n")
    expect((await line.shell(host, orphan.uid).run("echo $B")).stdout).toBe("after\n")
  })
})
