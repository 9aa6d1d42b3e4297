/** The server as a library (package entry `holdfast/server`): what `holdfast serve` does, without process and terminal. */
import { createLocalTokenFile } from "../adapters/local-token/create-local-token-file.ts"
import type { McpHttpDoor } from "../adapters/mcp/index.ts"
import { ensureLocalToken, type TokenFileFault } from "../core/access/local-token.ts"
import { createHttpDoor } from "./compose/doors.ts"
import { registerDirectory } from "./compose/register-directory.ts"
import { requireServable } from "./compose/require-servable.ts"
import { createRuntime, type Runtime } from "./compose/runtime.ts"
import { runtimeOptions, type StartOptions } from "./compose/runtime-options.ts"
import { ConfigError } from "./config/config-error.ts"
import { localUrl } from "./config/local-url.ts"

/** What to serve; tools, clock and ids as `createRuntime` takes them. */
export interface ServeOptions extends StartOptions {
  /** Registered as a Project with the operator's authority. */
  readonly directory?: string
  /** Makes the MCP door; default: the product's. */
  readonly mcp?: (runtime: Runtime) => McpHttpDoor
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
export async function serve({ directory, mcp, ...options }: ServeOptions): Promise<RunningServer> {
  const { config } = options.loaded
  await requireServable({ ...options, config, ...(directory === undefined ? {} : { directory }) })
  const runtime = await createRuntime(runtimeOptions(options))
  try {
    const project = await registerDirectory(runtime, directory)
    const tokenFile = createLocalTokenFile(options.dataDir)
    const token = await ensureLocalToken({ ...runtime, file: tokenFile })
    if (token.state !== "ready") throw new ConfigError(`${tokenFile.path} ${TOKEN_FILE_FAULTS[token.state]}`)
    const door = await createHttpDoor(runtime, mcp?.(runtime))
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

const TOKEN_FILE_FAULTS: Readonly<Record<TokenFileFault, string>> = {
  exposed: "can be read by others; run chmod 600 on it, or delete it to get a new token.",
  not_a_file: "is not a regular file; delete it to get a new token.",
}
