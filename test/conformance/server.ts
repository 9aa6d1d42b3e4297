import { createServer, request, type Server } from "node:http"
import { createMcpDoor } from "../../server/compose/doors.ts"
import { startServer } from "../support/server.ts"
import { withFixtures } from "./fixtures.ts"

/** A server as the public suite meets it. */
export interface ConformanceServer {
  /** Address of the MCP endpoint, which asks for no token. */
  readonly url: string
  close(): Promise<void>
}

/**
 * The real server with the fixtures before its MCP handlers, behind a fixture authenticator: the suite sends no token, so a
 * listener before the server adds one and passes everything else on as it came, Host and Origin too.
 */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const front = createServer()
  const port = await listen(front)
  const origins = ["127.0.0.1", "localhost"].map((host) => `http://${host}:${port}`)
  const server = await startServer({
    config: { allow_origin: origins },
    mcp: (runtime) => createMcpDoor(runtime, withFixtures),
  })
  front.on("request", (incoming, outgoing) => {
    const authorization = ["Authorization", `Bearer ${server.token}`]
    const { method, url: path, rawHeaders } = incoming
    const passed = request({
      host: "127.0.0.1",
      port: server.port,
      method,
      path,
      headers: [...rawHeaders, ...authorization],
    })
    passed.on("response", (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
      reply.pipe(outgoing)
    })
    passed.on("error", () => outgoing.destroy())
    outgoing.on("close", () => passed.destroy())
    incoming.pipe(passed)
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      front.close()
      front.closeAllConnections()
      await server.close()
    },
  }
}

function listen(front: Server): Promise<number> {
  return new Promise((resolve) => {
    front.listen(0, "127.0.0.1", () => {
      const address = front.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
}
