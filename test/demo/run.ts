// A small coding job on a clone of this repository, once through each door of a real server (spec: the demo).
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { createClient } from "../../dist/sdk/index.js"
import { type CallTool, doCodingJob, type ToolAnswer } from "./job.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const scratch = mkdtempSync(path.join(tmpdir(), "holdfast-demo-"))
const dataDir = path.join(scratch, "data")

function cloneProject(name: string): string {
  const directory = path.join(scratch, name)
  execFileSync("git", ["clone", "--quiet", "--local", root, directory])
  return directory
}

interface RunningServer {
  readonly process: ChildProcess
  readonly url: string
}

/** Starts `holdfast serve` on a free port and waits for the line that names its address. */
function startServer(directory: string): Promise<RunningServer> {
  const child = spawn(
    process.execPath,
    [
      "dist/server/bin.js",
      "serve",
      directory,
      "--port",
      "0",
      "--data-dir",
      dataDir,
      "--allowed-roots",
      scratch,
      "--log-level",
      "error",
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  )
  return new Promise((resolve, reject) => {
    let text = ""
    child.stdout.on("data", (chunk) => {
      text += chunk
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
      if (url !== undefined && text.includes("local-token")) resolve({ process: child, url })
    })
    child.on("exit", (code) => reject(new Error(`The server ended with exit code ${code} before it was ready.`)))
  })
}

function overHttp(url: string, token: string): CallTool {
  return async (tool, input) => {
    const response = await fetch(`${url}/tools/${tool}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    })
    const answer: ToolAnswer = JSON.parse(await response.text())
    return answer
  }
}

async function overMcp(url: string, token: string): Promise<{ call: CallTool; close(): Promise<void> }> {
  const client = new Client({ name: "holdfast-demo", version: "1.0.0" })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp/full`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  return {
    async call(tool, input) {
      const { structuredContent } = await client.callTool({ name: tool, arguments: { ...input } })
      const answer: ToolAnswer = JSON.parse(JSON.stringify(structuredContent))
      return answer
    },
    close: () => client.close(),
  }
}

function overSdk(url: string, token: string): CallTool {
  const client = createClient({ baseUrl: url, token })
  return async (tool, input) => JSON.parse(JSON.stringify(await client.call(tool as never, input as never)))
}

const say = (line: string): void => console.log(line)
const projects = ["over-http", "over-mcp", "over-sdk"]
const directories = projects.map(cloneProject)
const server = await startServer(directories[0]!)
try {
  const token = readFileSync(path.join(dataDir, "local-token"), "utf8").trim()
  const http = overHttp(server.url, token)
  for (const directory of directories.slice(1)) await http("register_project", { path: directory })
  const mcp = await overMcp(server.url, token)
  const doors: readonly (readonly [string, string, CallTool])[] = [
    ["HTTP, as a GPT Action calls", projects[0]!, http],
    ["MCP over Streamable HTTP", projects[1]!, mcp.call],
    ["the SDK", projects[2]!, overSdk(server.url, token)],
  ]
  for (const [door, project, call] of doors) {
    say(`\nThrough ${door}, in Project ${project}:`)
    await doCodingJob(project, call, (line) => say(`  ${line}`))
  }
  await mcp.close()
  say("\nThree doors, the same job, every answer as it should be.")
} finally {
  server.process.removeAllListeners("exit")
  const ended = new Promise((resolve) => server.process.once("exit", resolve))
  server.process.kill("SIGTERM")
  await ended
  rmSync(scratch, { recursive: true, force: true })
}
