import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { parsePath } from "../../../core/files/paths.ts"
import { isToolError } from "../../../core/kernel/error.ts"
import { openFiles, type Place, treeOf } from "./batch.ts"
import { ended, runScript } from "./children.ts"

describe("several processes on one tree", () => {
  let home: string
  let place: Place
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "hf-many-")))
    place = { root: join(home, "root"), dataDir: join(home, "data") }
    mkdirSync(place.root)
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  it("F43: two processes with 200 edits each lose none", { timeout: 180_000 }, async () => {
    const lines = Array.from({ length: 200 }, (_, line) => `a ${line} todo\nb ${line} todo\n`)
    writeFileSync(join(place.root, "shared.txt"), lines.join(""))
    const both = await Promise.all(
      ["a", "b"].map((name) => runScript("line-editor.ts", [place.root, place.dataDir, name, "200"])),
    )
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ])
    const expected = lines.join("").replaceAll("todo", "done")
    expect(readFileSync(join(place.root, "shared.txt"), "utf8")).toBe(expected)
  })

  /** Swaps `d` between a real directory and a link to a place outside until it is stopped. */
  function swapper(outside: string): ChildProcess {
    const loop = 'while :; do mv -T d e; ln -s "$1" d; rm d; mv -T e d; done'
    return spawn("sh", ["-c", loop, "sh", outside], { cwd: place.root, stdio: "ignore" })
  }

  it("F8: 10,000 files made while their directory is swapped with a link: none lands outside", {
    timeout: 180_000,
  }, async () => {
    const outside = join(home, "outside")
    mkdirSync(outside)
    mkdirSync(join(place.root, "d"))
    const fs = openFiles(place)
    const swapping = swapper(outside)
    let made = 0
    let refused = 0
    for (let batch = 0; batch < 100; batch += 1) {
      const operations = Array.from({ length: 100 }, (_, n) => ({
        kind: "create" as const,
        path: parsePath(`d/f${batch * 100 + n}`),
        content: Buffer.from("x"),
        executable: false,
      }))
      try {
        await fs.applyBatch(treeOf(place), {
          callId: "wc_call_fault",
          invocationId: "wc_inv_fault",
          plan: { operations },
          replan: async () => ({ operations }),
          lockWaitMs: 10_000,
        })
        made += operations.length
      } catch (error) {
        if (!isToolError(error)) throw error
        refused += operations.length
      }
    }
    swapping.kill("SIGKILL")
    await ended(swapping)
    fs.close()
    expect(readdirSync(outside)).toEqual([])
    expect(made + refused).toBe(10_000)
    const inside = readdirSync(place.root).filter((name) => name === "d" || name === "e")
    const files = inside.flatMap((name) => readdirSync(join(place.root, name)))
    expect(files.filter((name) => name.startsWith("f"))).toHaveLength(made)
    expect(files.filter((name) => name.includes(".holdfast-"))).toEqual([])
  })
})
