import { spawn } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openStore } from "../../adapters/storage/index.ts"
import { ensureBuild, REPOSITORY } from "../support/build.ts"
import { connectOver } from "../support/mcp/clients.ts"
import { makePlace, type Place } from "../support/place.ts"
import { registered } from "../support/registered.ts"
import { compiledSnippet } from "./compiled-snippet.ts"
import { type Block, blocksIn, blocksOf } from "./markdown.ts"
import { seedPrintedSession } from "./printed-session.ts"
import { startAsPrinted } from "./server-as-printed.ts"

/** The README's two commands install packages: the packaging stage runs them on a clean clone. */
const INSTALLS = ["npm ci && npm start\n", "npm ci && npm test\n"]

const isCurl = ({ text }: Block): boolean => text.startsWith("curl ")
const isWatch = ({ text }: Block): boolean => text.startsWith("holdfast watch")
const needsServer = (block: Block): boolean => isCurl(block) || isWatch(block)

describe("commands of the pages", () => {
  let place: Place
  let env: Record<string, string>
  beforeAll(async () => {
    place = await makePlace()
    const programs = path.join(place.home, "programs")
    await mkdir(programs)
    const launch = `#!/bin/sh\nexec '${process.execPath}' '${await ensureBuild()}' "$@"\n`
    await writeFile(path.join(programs, "holdfast"), launch, { mode: 0o755 })
    env = { ...place.env, PATH: `${programs}:${place.env.PATH}` }
    // The pages speak of a Project that was served before.
    const store = await openStore({ dataDir: path.join(place.home, ".local/state/holdfast") })
    await registered(store, "demo", { root: place.root })
    await store.close()
    await seedPrintedSession(place)
  })
  afterAll(() => place.remove())

  const run = (program: string, args: readonly string[]): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: place.root, env, stdio: ["ignore", "pipe", "pipe"] })
      let output = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
          output += chunk
        })
      }
      child.on("error", reject)
      child.on("close", (code) => resolve({ code, output }))
    })

  it("the blocks that install packages are exactly the two that the packaging stage runs", () => {
    expect(
      blocksIn("sh")
        .filter(({ text }) => /\bnpm ci\b/.test(text))
        .map(({ text }) => text),
    ).toEqual(INSTALLS)
  })

  it.each(blocksIn("sh").filter((block) => !INSTALLS.includes(block.text) && !needsServer(block)))(
    "$at runs as printed",
    async ({ text }) => {
      const { code, output } = await run("sh", ["-euc", text])
      expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" })
    },
  )

  it("README: the MCP configuration starts a server once the two paths are filled in", async () => {
    const [block] = blocksOf("README.md", "json")
    const filled = (block?.text ?? "")
      .replace("/path/to/holdfast/node_modules/.bin/node", path.join(REPOSITORY, "node_modules/.bin/node"))
      .replace("/path/to/holdfast/dist/server/bin.js", await ensureBuild())
      .replace("/path/to/project", place.root)
    expect(filled).not.toContain("/path/to")
    const { command, args } = JSON.parse(filled).mcpServers.holdfast
    const client = await connectOver(
      new StdioClientTransport({ command, args, env, cwd: place.home, stderr: "ignore" }),
    )
    try {
      const { structuredContent } = await client.callTool({ name: "list_projects", arguments: {} })
      expect(structuredContent).toMatchObject({ success: true, output: { total: 1 } })
    } finally {
      await client.close()
    }
  })

  it("README: the curl call and the SDK lines answer from a server started with all defaults", async () => {
    await using server = await startAsPrinted(place, env)
    expect((await readFile(path.join(place.home, ".local/state/holdfast/local-token"), "utf8")).length).toBeGreaterThan(
      40,
    )
    const curls = blocksIn("sh").filter(isCurl)
    expect(curls.map(({ page }) => page)).toEqual(["README.md"])
    for (const { text } of curls) {
      const { code, output } = await run("sh", ["-euc", server.onItsPort(text)])
      expect(code).toBe(0)
      expect(JSON.parse(output)).toMatchObject({ success: true, output: { projects: [{ project: "demo" }] } })
    }
    const pages = ["README.md", "docs/jobs.md", "docs/shells.md"]
    const printed = pages.flatMap((page) => blocksOf(page, "ts"))
    const lines = [
      [expect.stringMatching(/^[0-9a-f]{7,} First$/), "1 call recorded, 0 failed"],
      ["hello /tmp"],
      ["started", "done", "failed 3"],
      ["1 errexit", "kept", "/tmp"],
    ]
    expect(printed).toHaveLength(lines.length)
    for (const [index, { text }] of printed.entries()) {
      const file = await compiledSnippet(server.onItsPort(text), place.home)
      const { code, output } = await run(process.execPath, [file])
      expect({ code, lines: output.trimEnd().split("\n") }).toEqual({ code: 0, lines: lines[index] })
    }
  })

  it("docs/shells.md: what is watched is shown until Ctrl-C", async () => {
    await using server = await startAsPrinted(place, env)
    const usual = "http://127.0.0.1:4747"
    const url = server.onItsPort(usual)
    const token = (await readFile(path.join(place.home, ".local/state/holdfast/local-token"), "utf8")).trim()
    for (const { text } of blocksIn("sh").filter(isWatch)) {
      const [, ...args] = `${text.trim()}${url === usual ? "" : ` --url ${url}`}`.split(" ")
      const child = spawn("holdfast", args, { cwd: place.root, env, stdio: ["ignore", "pipe", "inherit"] })
      let output = ""
      child.stdout.on("data", (chunk) => {
        output += chunk
      })
      const exited = new Promise((resolve) => child.once("exit", resolve))
      await expect
        .poll(
          async () => {
            const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" }
            const body = JSON.stringify({ project: "demo", command: "echo watched" })
            await fetch(`${url}/tools/run_shell`, { method: "POST", headers, body })
            return output
          },
          { timeout: 30_000 },
        )
        .toMatch(/^\[wc_job_[0-9a-f]{32}\] watched$/m)
      child.kill("SIGINT")
      expect(await exited).toBe(0)
    }
  })
})
