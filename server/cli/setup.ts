import { ConfigError } from "../config/config-error.ts"

/** Hosts for which a ready snippet exists. */
export const SETUP_HOSTS = ["claude", "codex", "cursor", "vscode", "chatgpt"] as const
export type SetupHost = (typeof SETUP_HOSTS)[number]

/** Where the server can be reached, and the directory that a stdio server should serve. */
export interface SetupFacts {
  readonly directory: string
  /** Program and leading arguments that start this very installation, so that the snippet works wherever it is pasted. */
  readonly launch: readonly [string, ...string[]]
  /** Flags without which the pasted server would use another data directory or configuration than this command did. */
  readonly flags: readonly string[]
  /** `public_url` where one is configured: only ChatGPT needs it. */
  readonly publicUrl: string | undefined
  readonly port: number
  readonly tokenFile: string
}

interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
}

function stdioServer({ directory, launch: [command, ...args], flags }: SetupFacts): StdioServer {
  return { command, args: [...args, "mcp", directory, ...flags] }
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}

/** The exact text to paste for a host, with one line that says where. */
export function setupSnippet(host: SetupHost, facts: SetupFacts): string {
  return SNIPPETS[host](facts)
}

const SNIPPETS: Record<SetupHost, (facts: SetupFacts) => string> = {
  claude: (facts) => {
    const { command, args } = stdioServer(facts)
    return `Run once:\n\nclaude mcp add holdfast -- ${[command, ...args].map(quoted).join(" ")}`
  },
  codex: (facts) => {
    const { command, args } = stdioServer(facts)
    const lines = [
      "[mcp_servers.holdfast]",
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      "tool_timeout_sec = 60",
    ]
    return `Add to ~/.codex/config.toml:\n\n${lines.join("\n")}`
  },
  cursor: (facts) =>
    `Put into .cursor/mcp.json of the project:\n\n${json({ mcpServers: { holdfast: stdioServer(facts) } })}`,
  vscode: (facts) =>
    `Put into .vscode/mcp.json of the project:\n\n${json({ servers: { holdfast: { type: "stdio", ...stdioServer(facts) } } })}`,
  chatgpt: ({ publicUrl, tokenFile, port }) => {
    const origin = publicUrl ?? "https://YOUR-PUBLIC-HOST"
    const first =
      publicUrl === undefined
        ? `1. ChatGPT needs an https address: let a tunnel or proxy serve http://127.0.0.1:${port} and start Holdfast with --public-url ${origin}.`
        : `1. The server is published at ${origin}.`
    return [
      first,
      `2. In the GPT editor, Configure > Actions > Import from URL: ${origin}/openapi/gpt-actions.json`,
      `3. Authentication: API key, type Bearer; the key is the content of ${tokenFile}, or better a token of its own:`,
      "   holdfast user add chatgpt && holdfast token create --user chatgpt --name gpt-actions",
      `4. Privacy policy: ${origin}/legal/privacy`,
    ].join("\n")
  },
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** A host's name as given on the command line. @throws ConfigError naming the known ones. */
export function setupHost(name: string): SetupHost {
  const host = SETUP_HOSTS.find((known) => known === name)
  if (host === undefined) throw new ConfigError(`Unknown host "${name}"; known are ${SETUP_HOSTS.join(", ")}.`)
  return host
}
