import { startHttpChild, startPipedChild } from "../children.ts"
import { createHttpClient, type Prepared } from "../http-client.ts"
import { ENVELOPE, legacyRequest, type McpEndpoint, modernRequest } from "../mcp-requests.ts"
import { interleave } from "../measure.ts"
import { copyDataDir, makePlace, seedDataDir } from "../place.ts"
import { startProduct } from "../product-child.ts"
import { atMost, type Row, shown } from "../row.ts"
import type { Bench } from "../scope.ts"
import { createStdioClient } from "../stdio-client.ts"

type RequestOf = (endpoint: McpEndpoint, method: string, params: object) => Prepared

/** Recorded `tools/call` over MCP HTTP, both eras (spec doors.md §11). */
export async function mcpHttpRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const seeded = await seedDataDir(place, "floor")
  const product = await startProduct(bench, place)
  const floor = await startHttpChild(bench, "mcp-floor-http.ts", { args: [seeded.database] })
  const client = createHttpClient()
  bench.undo(() => client.close())

  const row = async (name: string, requestOf: RequestOf): Promise<Row> => {
    const request = (endpoint: McpEndpoint) => requestOf(endpoint, "tools/call", echoCall(product.nextSession()))
    const sides = {
      subject: () => client.send(request(product)),
      floor: () => client.send(request({ port: floor.port })),
    }
    return { name, unit: "ms", ...(await interleave(sides, { rounds: bench.count(1500) })), target: atMost(1.5) }
  }
  return [
    await row("MCP over HTTP, 2026-07-28: recorded call", modernRequest),
    await row("MCP over HTTP, 2025: recorded call", legacyRequest),
  ]
}

/** Recorded `tools/call` over MCP stdio (spec doors.md §11). */
export async function mcpStdioRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const seeded = await seedDataDir(place, "floor")
  const own = await copyDataDir(place, seeded, "product")
  const product = createStdioClient(startPipedChild(bench, "product-stdio.ts", [own.dataDir]))
  const floor = createStdioClient(startPipedChild(bench, "mcp-floor-stdio.ts", [seeded.database]))
  let turn = 0
  const params = () => {
    turn += 1
    return { ...echoCall(own.sessions[turn % own.sessions.length] ?? ""), _meta: ENVELOPE }
  }
  const sides = {
    subject: () => product.call("tools/call", params()),
    floor: () => floor.call("tools/call", params()),
  }
  const p50 = await interleave(sides, { rounds: bench.count(1500), warmup: bench.count(500) })
  return [{ name: "MCP over stdio: recorded call", unit: "ms", ...p50, target: atMost(1.5) }]
}

/** `tools/list` once it has been built (spec kernel.md §18, doors.md §4.2). */
export async function listRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const product = await startProduct(bench, place, { sessions: 1 })
  const client = createHttpClient()
  bench.undo(() => client.close())
  const list = modernRequest(product, "tools/list", {})
  const cached = await place.file("tools-list.json", await client.send(list))
  const floor = await startHttpChild(bench, "express-floor.ts", { args: ["-", cached] })
  const sides = {
    subject: () => client.send(list),
    floor: () => client.send({ ...list, port: floor.port, path: "/document" }),
  }
  const p50 = await interleave(sides, { rounds: bench.count(1000) })
  const rows: Row[] = [{ name: "MCP: tools/list of coding, warm", unit: "ms", ...p50, target: atMost(1.1) }]
  for (const surface of ["coding", "shell", "workflow", "full"]) {
    const text = await client.send({ ...list, path: `/mcp/${surface}` })
    rows.push({ name: `MCP: tools/list of ${surface}`, unit: "bytes", subject: Buffer.byteLength(text), target: shown })
  }
  return rows
}

function echoCall(recorder: string) {
  return { name: "bench_echo", arguments: { text: "x".repeat(100), recording_session_id: recorder } }
}
