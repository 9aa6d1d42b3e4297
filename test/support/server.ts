import { readFile } from "node:fs/promises"
import { Writable } from "node:stream"
import { createPinoTelemetry } from "../../adapters/telemetry/index.ts"
import { loadConfig } from "../../server/config/load-config.ts"
import { type RunningServer, type ServeOptions, serve } from "../../server/serve.ts"
import { makePlace, type Place } from "./place.ts"

/** What a test may change about the server that it gets. */
export interface ServerOptions extends Pick<ServeOptions, "tools" | "clock" | "ids" | "telemetry" | "mcp"> {
  /** Configuration keys, as flags give them. */
  readonly config?: Readonly<Record<string, unknown>>
  /** An existing place, to start again on its data directory; it then stays when the server closes. */
  readonly place?: Place
}

/** A listening server over a real kernel, store and Runner with the Project `demo`. */
export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** The local token. */
  readonly token: string
  /** Slug of the Project at `root`. */
  readonly project: string
  readonly dataDir: string
  readonly root: string
  readonly place: Place
  readonly runtime: RunningServer["runtime"]
  /** Everything that was logged, one JSON line each. */
  log(): string
  /** One `POST` with the token and a JSON body. */
  post(path: string, body: object, headers?: Record<string, string>): Promise<Response>
  /** The ToolResult of one call through HTTP. */
  call(tool: string, input?: object, headers?: Record<string, string>): Promise<ToolAnswer>
  close(): Promise<void>
}

/** A ToolResult as a test reads it. */
export interface ToolAnswer {
  readonly success: boolean
  readonly output: Record<string, unknown>
  readonly error: { readonly kind: string; readonly message: string; readonly details?: Record<string, unknown> }
  readonly attached?: Record<string, unknown>
}

/** Starts one in this process on a free port, through the same `serve` as the command line. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { config = {}, place = await makePlace(), ...parts } = options
  const { dataDir, root, env, home } = place
  const lines: string[] = []
  const running = await serve({
    dataDir,
    env,
    directory: root,
    terminal: false,
    loaded: loadConfig({
      dataDir,
      env,
      flags: { port: 0, allowed_roots: [home], rate_limit_per_minute: 1_000_000, ...config },
    }),
    telemetry: (redactor) =>
      createPinoTelemetry({
        level: "info",
        format: "json",
        redactor,
        destination: new Writable({
          write(line, _encoding, done) {
            lines.push(String(line))
            done()
          },
        }),
      }),
    ...parts,
  })
  const token = (await readFile(running.tokenFile, "utf8")).trim()
  const close = async (): Promise<void> => {
    await running.close()
    if (options.place === undefined) await place.remove()
  }
  const post: TestServer["post"] = (path, body, headers = {}) =>
    fetch(`${running.url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
  return {
    url: running.url,
    port: Number(new URL(running.url).port),
    token,
    project: running.project ?? "",
    dataDir,
    root,
    place,
    runtime: running.runtime,
    log: () => lines.join(""),
    post,
    call: async (tool, input = {}, headers = {}) =>
      JSON.parse(await (await post(`/tools/${tool}`, input, headers)).text()),
    close,
    [Symbol.asyncDispose]: close,
  }
}
