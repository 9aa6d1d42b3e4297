import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it } from "vitest"
import { closeRuntimeDirectory, openRuntimeDirectory } from "../../../adapters/runners/local/host/runtime-directory.ts"

/** Takes the place away whenever nothing is in it, as each host does that goes. */
const REMOVER = `
  const { rmdirSync } = require("node:fs")
  console.log("on")
  for (;;) try { rmdirSync(process.argv[1]) } catch {}`

it("a host finds its folder while others that go take the empty runtime directory away", async () => {
  const place = mkdtempSync(path.join(tmpdir(), "hf-runtime-"))
  const runtime = path.join(place, "run")
  const flags = process.versions.deno === undefined ? ["-e"] : ["eval", "--ext=cjs"]
  const remover = spawn(process.execPath, [...flags, REMOVER, runtime], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    await once(remover.stdout, "data")
    for (let round = 0; round < 200; round += 1) {
      const own = openRuntimeDirectory(runtime, "one", () => false)
      expect(existsSync(own)).toBe(true)
      closeRuntimeDirectory(runtime, own)
    }
  } finally {
    remover.kill("SIGKILL")
    await once(remover, "exit")
    rmSync(place, { recursive: true, force: true })
  }
}, 30_000)
