import { chmod, mkdir, readdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import packageFile from "../../../package.json" with { type: "json" }
import { openFiles, prepareBatch } from "../../faults/edits/batch.ts"
import { runScript } from "../../faults/edits/children.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { runHoldfast } from "./run-holdfast.ts"

describe("holdfast doctor", () => {
  let place: Place
  beforeEach(async () => {
    place = await makePlace()
  })
  afterEach(() => place.remove())

  const findings = async () => {
    const { code, stdout } = await runHoldfast(place, ["doctor", "--json"])
    const all: { subject: string; state: string; detail: string }[] = JSON.parse(stdout).findings
    return { code, find: (subject: string) => all.find((each) => each.subject === subject) }
  }

  it("on a machine without data directory: all found, nothing made, exit 0", async () => {
    const { code, find } = await findings()
    expect(code).toBe(0)
    expect(find("holdfast")).toEqual({ subject: "holdfast", state: "ok", detail: packageFile.version })
    expect(find("node")).toEqual({ subject: "node", state: "ok", detail: process.versions.node })
    expect(find("git")?.detail).toMatch(/^git version 2\./)
    expect(find("data directory")).toMatchObject({ state: "ok" })
    expect(await readdir(place.home)).toEqual(["demo"])
  })

  it("prints lines for people", async () => {
    const { code, stdout } = await runHoldfast(place, ["doctor"])
    expect(code).toBe(0)
    expect(stdout.split("\n")[0]).toMatch(/^ok +holdfast +\d+\.\d+\.\d+$/)
  })

  it("reads schema and size of the data directory", async () => {
    await (await openStore({ dataDir: place.dataDir, env: {} })).close()
    const { code, find } = await findings()
    expect(code).toBe(0)
    expect(find("data directory")?.detail).toMatch(/, schema \d+, \d+ bytes$/)
  })

  it("names secrets that stand in the environment, and never shows one", async () => {
    expect((await findings()).find("secrets")).toMatchObject({ state: "ok" })
    const env = { OUR_TOKEN: "s3cretvalue", PLAIN: "s3cretvalue" }
    const { code, stdout } = await runHoldfast(place, ["doctor"], { env })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^warn +secrets +.*here OUR_TOKEN: keep/m)
    expect(stdout).not.toContain("s3cretvalue")
  })

  it("names files of an interrupted edit that someone changed meanwhile", async () => {
    expect((await findings()).find("interrupted edits")).toMatchObject({ state: "ok" })
    prepareBatch(place)
    await mkdir(place.dataDir, { mode: 0o700 })
    await runScript("killed-child.ts", [place.root, place.dataDir, "applied:11"])
    await writeFile(path.join(place.root, "old/0.txt"), "mine\n")
    const files = openFiles(place)
    await files.recover()
    files.close()
    const { code, find } = await findings()
    expect(code).toBe(0)
    expect(find("interrupted edits")).toMatchObject({ state: "warn" })
    expect(find("interrupted edits")?.detail).toContain(`old/0.txt, old/1.txt, `)
    expect(find("interrupted edits")?.detail).toContain(`in ${place.root} were changed meanwhile`)
  })

  it("a token file that others can read is a failure, exit 1", async () => {
    await runHoldfast(place, ["token", "rotate-local"])
    expect((await findings()).code).toBe(0)
    await chmod(path.join(place.dataDir, "local-token"), 0o640)
    const { code, find } = await findings()
    expect(code).toBe(1)
    expect(find("local token")).toMatchObject({ state: "fail" })
    expect(find("local token")?.detail).toContain("chmod 600")
  })

  it("a data directory that cannot be used is a failure, exit 1", async () => {
    await mkdir(path.join(place.dataDir, "x"), { recursive: true })
    await chmod(place.dataDir, 0o755)
    const { code, find } = await findings()
    expect(code).toBe(1)
    expect(find("data directory")).toMatchObject({ state: "fail" })
  })

  it("what is missing on PATH is said with its consequence", async () => {
    const { code, stdout } = await runHoldfast(place, ["doctor", "--json"], { env: { PATH: "/nowhere" } })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).findings).toContainEqual({
      subject: "git",
      state: "warn",
      detail: "not found; install git 2.34 or newer: git tools need it",
    })
  })

  it("a configuration that a server would refuse is a failure, exit 1; another one can be named", async () => {
    expect((await findings()).find("configuration")).toMatchObject({ state: "ok" })
    await mkdir(place.dataDir, { mode: 0o700 })
    const file = path.join(place.dataDir, "config.json")
    for (const [text, fault] of [
      ["{ broken", "is not a JSON object"],
      ['{"port": "x"}', 'Bad value for "port"'],
      ['{"disabled_tools": ["no_such_tool"]}', 'disabled_tools names "no_such_tool"'],
      ['{"fence_file": "/nowhere/fence.json"}', "cannot be read"],
    ] as const) {
      await writeFile(file, text)
      const { code, find } = await findings()
      expect(code).toBe(1)
      expect(find("configuration")).toMatchObject({ state: "fail" })
      expect(find("configuration")?.detail).toContain(fault)
    }
    const other = path.join(place.home, "other.json")
    await writeFile(other, "{}")
    expect((await runHoldfast(place, ["doctor", "--config", other])).code).toBe(0)
  })
})
