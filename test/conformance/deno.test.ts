import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import type { Readable, Writable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"
import { REVISIONS, runSuite } from "./suite.ts"

let child: ChildProcessByStdio<Writable, Readable, null>
let url: string

beforeAll(async () => {
  const deno = path.join(REPOSITORY, "node_modules/.bin/deno")
  child = spawn(deno, ["run", "--allow-all", path.join(REPOSITORY, "test/conformance/main.ts")], {
    cwd: REPOSITORY,
    stdio: ["pipe", "pipe", "inherit"],
  })
  const [line] = await once(child.stdout, "data")
  url = String(line).trim()
}, 120_000)

afterAll(async () => {
  const ended = once(child, "exit")
  child.stdin.end()
  await ended
})

describe("the public MCP suite against a server on Deno", () => {
  it.each(REVISIONS)(
    "D52: %s on Deno",
    async (revision) => {
      const { exitCode, report } = await runSuite(url, revision)
      expect(exitCode, report).toBe(0)
    },
    300_000,
  )
})
