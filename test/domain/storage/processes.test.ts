import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, it } from "vitest"
import { createProcessProbe } from "../../../adapters/processes/index.ts"

it("names this process, which lives", () => {
  const probe = createProcessProbe()
  const self = probe.self()
  expect(self.pid).toBe(process.pid)
  expect(probe.isGone(self)).toBe(false)
  expect(createProcessProbe().self()).toEqual(self)
})

it("proves a process gone once it has ended, and not before", async () => {
  const script = `
    import { createProcessProbe } from ${JSON.stringify(new URL("../../../adapters/processes/index.ts", import.meta.url).href)}
    process.stdout.write(JSON.stringify(createProcessProbe().self()) + "\\n")
    setTimeout(() => {}, 60000)`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(child.stdout.setEncoding("utf8"), "data")
  const other: ReturnType<ReturnType<typeof createProcessProbe>["self"]> = JSON.parse(String(line))
  const probe = createProcessProbe()
  expect(other).toMatchObject({ host: probe.self().host, pid: child.pid })
  expect(probe.isGone(other)).toBe(false)
  child.kill("SIGKILL")
  await once(child, "close")
  expect(probe.isGone(other)).toBe(true)
})

it("recognises a recycled pid by its start time", () => {
  const probe = createProcessProbe()
  expect(probe.isGone({ ...probe.self(), pidStartedAt: "another boot:1" })).toBe(true)
})

it("proves nothing about another host, or where the system gives no answer", () => {
  const probe = createProcessProbe()
  expect(probe.isGone({ host: "elsewhere", pid: 1, pidStartedAt: "x" })).toBe(false)
  const blind = createProcessProbe(() => "unknown")
  expect(blind.isGone({ ...blind.self(), pidStartedAt: "x" })).toBe(false)
  const seeing = createProcessProbe(() => ({ startedAt: "now" }))
  expect(seeing.isGone({ ...seeing.self(), pidStartedAt: "unknown" })).toBe(false)
})
