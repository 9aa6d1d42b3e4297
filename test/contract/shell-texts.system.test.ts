import { execFile, execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type CommandFiles, createCommandFiles } from "../../adapters/runners/local/shells/command-file.ts"
import { createTextPipe } from "../../adapters/runners/local/shells/text-pipe.ts"

const run = promisify(execFile)
const WAYS: readonly (readonly [string, (path: string) => CommandFiles])[] = [
  ["a file", createCommandFiles],
  ["a pipe", createTextPipe],
]

describe.each(WAYS)("texts given through %s", (way, create) => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "hf-texts-"))
  })
  afterEach(async () => {
    await rm(home, { recursive: true })
  })

  it.each(["bash", "sh"])("arrive whole in %s, whatever came before, and say that they were read", async (shell) => {
    const path = join(home, "c")
    if (way === "a pipe") execFileSync("mkfifo", [path])
    const texts = create(path)
    for (const text of ["echo a long one", "echo b \\", `printf %s '${"ü".repeat(100_000)}' | wc -c`, "echo c"]) {
      const given = texts.write(text)
      expect(given.wasRead()).toBe(false)
      const { stdout } = await run(shell, ["-c", `. ${path}`])
      expect(stdout.trim()).toBe(text.includes("wc") ? "200000" : text.slice("echo ".length))
      expect(given.wasRead()).toBe(true)
    }
    texts.close()
  })
})
