// The conformance server as a process of its own, for a runtime other than the one that runs the tests: prints its address
// and ends when its standard input does.
import process from "node:process"
import { startConformanceServer } from "./server.ts"

const server = await startConformanceServer()
process.stdout.write(`${server.url}\n`)
process.stdin.resume()
process.stdin.on("end", async () => {
  await server.close()
  process.exit(0)
})
