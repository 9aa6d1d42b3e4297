import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ConformanceServer, startConformanceServer } from "./server.ts"
import { REVISIONS, runSuite } from "./suite.ts"

let server: ConformanceServer
beforeAll(async () => {
  server = await startConformanceServer()
})
afterAll(() => server.close())

describe("the public MCP suite against a server on Node", () => {
  it.each(REVISIONS)(
    "D52: %s",
    async (revision) => {
      const { exitCode, report } = await runSuite(server.url, revision)
      expect(exitCode, report).toBe(0)
    },
    300_000,
  )
})
