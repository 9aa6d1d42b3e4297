/** The server as a library (package entry `holdfast/server`): what `holdfast serve` does, without process and terminal. */
import { createLocalTokenFile } from "../adapters/local-token/create-local-token-file.ts"
import type { McpHttpDoor } from "../adapters/mcp/index.ts"
import { createPinoTelemetry } from "../adapters/telemetry/index.ts"
import { ensureLocalToken } from "../core/access/local-token.ts"
import { registerAsOperator } from "../core/projects/register.ts"
import { createHttpDoor } from "./compose/doors.ts"
import { createRuntime, type Runtime, type RuntimeOptions } from "./compose/runtime.ts"
import { ConfigError } from "./config/config-error.ts"
import type { LoadedConfig } from "./config/load-config.ts"

/** What to serve; tools, clock and ids as `createRuntime` takes them. */
export interface ServeOptions extends Pick<RuntimeOptions, "tools" | "clock" | "ids"> {
  readonly dataDir: string
  readonly loaded: LoadedConfig
  readonly env: Readonly<Record<string, string | undefined>>
  /** Registered as a Project with the operator's authority. */
  readonly directory?: string
  readonly telemetry?: RuntimeOptions["telemetry"]
  /** Makes the MCP door; default: the product's. */
  readonly mcp?: (runtime: Runtime) => McpHttpDoor
  /** Whether log lines go to a person's terminal. */
  readonly terminal: boolean
}

/** A running server. */
export interface RunningServer {
  readonly runtime: Runtime
  /** Address under which this machine reaches it. */
  readonly url: string
  readonly tokenFile: string
  /** Slug of the served directory. */
  readonly project?: string
  /** Drains and closes everything; ≤ 10 s (spec doors.md §2.7). */
  close(): Promise<void>
}

/**
 * Starts the HTTP door with its local token (spec kernel.md §2.2). Throws `ConfigError` when the token file is open to others,
 * `ToolError` when the directory cannot be a Project, Node's error when the port is taken.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { config } = options.loaded
  const runtime = await createRuntime(runtimeOptions(options))
  try {
    const project = await registerDirectory(runtime, options.directory)
    const tokenFile = createLocalTokenFile(options.dataDir)
    const token = await ensureLocalToken({ ...runtime, file: tokenFile })
    if (token.state === "exposed") {
      throw new ConfigError(
        `${tokenFile.path} can be read by others; run chmod 600 on it, or delete it to get a new token.`,
      )
    }
    const door = await createHttpDoor(runtime, options.mcp?.(runtime))
    const { port } = await door.listen({ host: config.host, port: config.port })
    return {
      runtime,
      url: localUrl(config.host, port),
      tokenFile: tokenFile.path,
      ...(project === undefined ? {} : { project }),
      async close() {
        await door.drain()
        await door.close()
        await runtime.close()
      },
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

const EVERY_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }

/** Where this machine reaches a server; one that listens on every address is reached on loopback. */
function localUrl(host: string, port: number): string {
  const bare = host.replace(/^\[(.*)\]$/, "$1")
  return `http://${EVERY_ADDRESS[bare] ?? (bare.includes(":") ? `[${bare}]` : bare)}:${port}`
}

/** What a runtime takes from a loaded configuration; stdio and HTTP start alike. */
export function runtimeOptions({
  dataDir,
  loaded,
  env,
  telemetry,
  terminal,
  directory: _directory,
  mcp: _mcp,
  ...rest
}: ServeOptions): RuntimeOptions {
  const { config, sources } = loaded
  return {
    ...rest,
    dataDir,
    config,
    env,
    authoritySource: sources.authority_mode,
    telemetry:
      telemetry ??
      ((redactor) =>
        createPinoTelemetry({
          level: config.log_level,
          format: config.log_format ?? (terminal ? "pretty" : "json"),
          redactor,
        })),
  }
}

/** Registers the directory that a command names; `undefined` when it names none. */
export async function registerDirectory(runtime: Runtime, directory: string | undefined): Promise<string | undefined> {
  if (directory === undefined) return undefined
  const { project } = await registerAsOperator(runtime, { path: directory, allowedRoots: runtime.facts.allowedRoots })
  return project.slug
}
