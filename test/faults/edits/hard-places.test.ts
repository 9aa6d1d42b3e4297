import { spawn, spawnSync } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execPath, getuid } from "node:process"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { INVOCATION, openFiles, type Place } from "./batch.ts"
import { type Ended, ended, scriptPath } from "./children.ts"

/** Mounting needs a user namespace, which some kernels and containers refuse. */
const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0
if (!canMount) console.warn("unshare -rm is refused here: the cases that need a mount do not run")

const NOBODY = 65_534

describe("edits in places that resist", () => {
  let home: string
  let place: Place
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "hf-hard-")))
    place = { root: join(home, "root"), dataDir: join(home, "data") }
    mkdirSync(place.root)
    mkdirSync(place.dataDir)
    writeFileSync(join(place.root, "f"), "old\n")
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const argumentsOf = (scenario: string, killAt = ""): string[] => [
    "--disable-warning=ExperimentalWarning",
    scriptPath("contained-child.ts"),
    place.root,
    place.dataDir,
    scenario,
    killAt,
  ]

  /** Runs the child in its own mount namespace, after a mount. */
  const runMounted = (mount: string, args: readonly string[]): Promise<Ended> =>
    ended(
      spawn("unshare", ["-rm", "sh", "-c", `${mount} && shift && exec "$@"`, "sh", place.root, execPath, ...args], {
        stdio: ["ignore", "pipe", "pipe"],
      }),
    )
  const answerOf = ({ stdout, stderr }: Ended): unknown => {
    expect(stderr).toBe("")
    return JSON.parse(stdout)
  }

  it.runIf(canMount)("F44: a full disk leaves everything untouched", async () => {
    const run = await runMounted('mount -t tmpfs -o size=128k tmpfs "$1"', argumentsOf("full"))
    expect(answerOf(run)).toEqual({
      kind: "storage_full",
      details: { rollback_complete: true },
      same: true,
      text: "old\n",
      names: ["f"],
    })
  })

  it.runIf(canMount)("a mount point is written in place", async () => {
    const run = await runMounted('mount --bind "$1/f" "$1/f"', argumentsOf("mounted"))
    expect(answerOf(run)).toEqual({ kind: "ok", same: true, text: "new\n", names: ["f"] })
  })

  it.runIf(canMount)("a killed write in place is undone", async () => {
    const run = await runMounted('mount --bind "$1/f" "$1/f"', argumentsOf("mounted", "applied:0"))
    expect([run.signal, run.stderr]).toEqual(["SIGKILL", ""])
    expect(readFileSync(join(place.root, "f"), "utf8")).toBe("new\n")
    const fs = openFiles(place)
    await fs.recover()
    expect(await fs.outcomeOf(INVOCATION)).toBe("rolled_back")
    fs.close()
    expect(readFileSync(join(place.root, "f"), "utf8")).toBe("old\n")
  })

  it("a file in a directory that may not be written is written in place", async () => {
    chmodSync(join(place.root, "f"), 0o666)
    chmodSync(place.root, 0o555)
    chmodSync(home, 0o755)
    const asRoot = getuid?.() === 0
    if (asRoot) chownSync(place.dataDir, NOBODY, NOBODY)
    const child = spawn(execPath, argumentsOf("locked"), {
      stdio: ["ignore", "pipe", "pipe"],
      ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    })
    const run = await ended(child)
    chmodSync(place.root, 0o755)
    expect(answerOf(run)).toEqual({ kind: "ok", same: true, text: "new\n", names: ["f"] })
  })
})
