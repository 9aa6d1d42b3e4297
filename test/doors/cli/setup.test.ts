import { execFileSync } from "node:child_process"
import path from "node:path"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connectOver } from "../../support/mcp/clients.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { runHoldfast } from "./run-holdfast.ts"

interface Launch {
  readonly command: string
  readonly args: readonly string[]
}

/** The text below the line that says where to paste it. */
const pasted = (text: string): string => text.slice(text.indexOf("\n\n") + 2)

/** What each host would start after the paste. */
const LAUNCH_OF: Readonly<Record<string, (text: string) => Launch>> = {
  claude: (text) => {
    expect(pasted(text).startsWith("claude mcp add holdfast -- ")).toBe(true)
    // The shell splits the words as it would for a person who pastes the line.
    const words = execFileSync(
      "sh",
      ["-c", `claude() { for word; do printf '%s\\n' "$word"; done; }\n${pasted(text)}`],
      {
        encoding: "utf8",
      },
    )
    const [command = "", ...args] = words.trimEnd().split("\n").slice(4)
    return { command, args }
  },
  codex: (text) => {
    const [head, ...lines] = pasted(text).trimEnd().split("\n")
    expect(head).toBe("[mcp_servers.holdfast]")
    const values = Object.fromEntries(lines.map((line) => line.split(" = ", 2)))
    expect(values.tool_timeout_sec).toBe("60")
    return { command: JSON.parse(values.command ?? ""), args: JSON.parse(values.args ?? "") }
  },
  cursor: (text) => JSON.parse(pasted(text)).mcpServers.holdfast,
  vscode: (text) => {
    const { type, ...launch } = JSON.parse(pasted(text)).servers.holdfast
    expect(type).toBe("stdio")
    return launch
  },
}

describe("holdfast setup", () => {
  let place: Place
  beforeAll(async () => {
    place = await makePlace()
  })
  afterAll(() => place.remove())

  it.each(Object.keys(LAUNCH_OF))("%s: the printed command starts a stdio server for the directory", async (host) => {
    // A data directory that needs quoting in a shell.
    const dataDir = path.join(place.home, "data of 'mine'")
    const { code, stdout, stderr } = await runHoldfast(place, ["setup", host, place.root, "--data-dir", dataDir])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const { command, args } = LAUNCH_OF[host]!(stdout)
    expect(args.slice(1)).toEqual(["mcp", place.root, "--data-dir", dataDir])
    const client = await connectOver(
      new StdioClientTransport({ command, args: [...args], env: place.env, cwd: place.home, stderr: "ignore" }),
    )
    try {
      const { structuredContent } = await client.callTool({ name: "list_projects", arguments: {} })
      expect(structuredContent).toMatchObject({ success: true, output: { projects: [{ project: "demo" }] } })
    } finally {
      await client.close()
    }
  })

  it("names no data directory when it is the default one", async () => {
    const { stdout } = await runHoldfast(place, ["setup", "cursor"], { env: { HOLDFAST_DATA_DIR: "" } })
    expect(LAUNCH_OF["cursor"]!(stdout).args.slice(1)).toEqual(["mcp", place.root])
  })

  it("chatgpt: the addresses to paste, with the public one where it is configured", async () => {
    const env = { HOLDFAST_PUBLIC_URL: "https://h.example" }
    const { code, stdout } = await runHoldfast(place, ["setup", "chatgpt"], { env })
    expect(code).toBe(0)
    expect(stdout).toContain("https://h.example/openapi/gpt-actions.json\n")
    expect(stdout).toContain("https://h.example/legal/privacy\n")
    expect(stdout).toContain(path.join(place.dataDir, "local-token"))
    const unset = await runHoldfast(place, ["setup", "chatgpt"])
    expect(unset.stdout).toContain("--public-url https://YOUR-PUBLIC-HOST")
  })
})
