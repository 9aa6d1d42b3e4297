import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { isTestRunner, prepareDataDir, resolveDataDir } from "../../../adapters/data-dir/index.ts"
import { openStore } from "../../../adapters/storage/index.ts"

let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "hf-dir-"))
})
afterEach(() => rm(base, { recursive: true, force: true }))

const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

describe("resolveDataDir", () => {
  const home = "/home/dev"
  const env = { HOLDFAST_DATA_DIR: "/data/env", XDG_STATE_HOME: "/state" }

  it("takes the flag, else the variable, else XDG's state directory, else the home directory", () => {
    expect(resolveDataDir({ flag: "/data/flag", env, home })).toBe("/data/flag")
    expect(resolveDataDir({ env, home })).toBe("/data/env")
    expect(resolveDataDir({ env: { XDG_STATE_HOME: "/state" }, home })).toBe("/state/holdfast")
    expect(resolveDataDir({ env: {}, home })).toBe("/home/dev/.local/state/holdfast")
  })

  it("counts an empty variable and a relative XDG path as unset, and makes a relative path absolute", () => {
    expect(resolveDataDir({ env: { HOLDFAST_DATA_DIR: "", XDG_STATE_HOME: "state" }, home })).toBe(
      "/home/dev/.local/state/holdfast",
    )
    expect(resolveDataDir({ flag: "here", env: {}, home })).toBe(join(process.cwd(), "here"))
  })
})

describe("the files of a store", () => {
  it("are for their owner alone, also one that an older version left open to others", async () => {
    const files = ["holdfast.db", "holdfast.db-wal", "holdfast.db-shm"]
    const modes = () => Promise.all(files.map((name) => mode(join(base, name))))
    const first = await openStore({ dataDir: base })
    expect(await modes()).toEqual(["600", "600", "600"])
    await first.close()
    await chmod(join(base, "holdfast.db"), 0o644)
    const second = await openStore({ dataDir: base })
    expect(await modes()).toEqual(["600", "600", "600"])
    await second.close()
  })
})

describe("prepareDataDir", () => {
  it("makes the directory with its parents, for the owner alone", async () => {
    const path = join(base, "a", "b")
    prepareDataDir(path, {})
    expect(await mode(path)).toBe("700")
    expect(await mode(join(base, "a"))).toBe("700")
  })

  it("closes an empty directory to others, and refuses one with content that others may enter", async () => {
    const path = join(base, "data")
    await mkdir(path)
    await chmod(path, 0o755)
    prepareDataDir(path, {})
    expect(await mode(path)).toBe("700")
    await chmod(path, 0o755)
    await writeFile(join(path, "x"), "")
    expect(() => prepareDataDir(path, {})).toThrow(expect.objectContaining({ code: "open_to_others" }))
    expect(await mode(path)).toBe("755")
  })

  it.runIf(process.platform === "linux")("a place where nothing can be made is refused at once", () => {
    expect(() => prepareDataDir("/proc/holdfast/x", {})).toThrow(expect.objectContaining({ code: "not_writable" }))
  })

  it("refuses a file", async () => {
    const path = join(base, "file")
    await writeFile(path, "")
    expect(() => prepareDataDir(path, {})).toThrow(expect.objectContaining({ code: "not_a_directory" }))
    expect(() => prepareDataDir(join(path, "below"), {})).toThrow(expect.objectContaining({ code: "not_a_directory" }))
  })
})

describe("under a test runner", () => {
  it.each(["VITEST", "NODE_TEST_CONTEXT", "HOLDFAST_TEST"])("%s is recognised", (name) => {
    expect(isTestRunner({ [name]: "1" })).toBe(true)
    expect(isTestRunner({})).toBe(false)
  })

  it("refuses the real default at the first write, also behind a link, and makes nothing", async () => {
    const env = { VITEST: "true", HOME: base }
    const path = resolveDataDir({ env, home: base })
    const opening = openStore({ dataDir: path, env })
    await expect(opening).rejects.toMatchObject({ name: "DataDirError", code: "default_under_test" })
    await expect(stat(join(base, ".local"))).rejects.toThrow("ENOENT")
    const real = join(homedir(), ".local", "state", "holdfast")
    expect(() => prepareDataDir(real, { VITEST: "true" })).toThrow(
      expect.objectContaining({ code: "default_under_test" }),
    )
  })

  it("opens a directory of the test's own", async () => {
    const store = await openStore({ dataDir: join(base, "own"), env: { VITEST: "true", HOME: base } })
    await store.close()
    expect(await mode(join(base, "own"))).toBe("700")
  })
})
