import { startHttpChild } from "../children.ts"
import { createHttpClient, type Prepared } from "../http-client.ts"
import { interleave, throughput } from "../measure.ts"
import { makePlace, seedDataDir } from "../place.ts"
import { startProduct } from "../product-child.ts"
import { atLeast, atMost, type Row, shown } from "../row.ts"
import type { Bench } from "../scope.ts"

const JSON_BODY = { "Content-Type": "application/json" }

/** A recorded call through HTTP against a bare echo that writes what has to be written (spec kernel.md §18). */
export async function httpRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const seeded = await seedDataDir(place, "floor")
  const product = await startProduct(bench, place)
  const floor = await startHttpChild(bench, "express-floor.ts", { args: [seeded.database] })
  const client = createHttpClient()
  bench.undo(() => client.close())

  const input = () => ({ text: "x".repeat(100), recording_session_id: product.nextSession() })
  const echo = (path: string) => client.send(floorRequest(floor.port, path, input()))
  const sides = {
    subject: () => client.send(product.call("bench_echo", input())),
    floor: () => echo("/recorded"),
    echo: () => echo("/echo"),
    unrecorded: () => client.send(product.call("bench_echo", { text: "x".repeat(100) })),
  }
  const p50 = await interleave(sides, { rounds: bench.count(2000) })
  const { subject, floor: sum } = sides
  const wide = await throughput({ subject, floor: sum }, { turns: bench.quick ? 3 : 7, count: 640, width: 32 })
  return [
    { name: "HTTP: recorded call", unit: "ms", subject: p50.subject, floor: p50.floor, target: atMost(2) },
    { name: "HTTP: recorded calls, 32 in flight", unit: "calls/s", ...wide, target: atLeast(0.5) },
    { name: "HTTP: call that nobody records", unit: "ms", subject: p50.unrecorded, floor: p50.echo, target: shown },
  ]
}

/** Gate, strict body reader and routing before a kernel that answers at once (spec doors.md §11). */
export async function gateRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const gate = await startHttpChild(bench, "product-gate.ts", { args: [place.dataDir("gate")] })
  const floor = await startHttpChild(bench, "express-floor.ts")
  const client = createHttpClient()
  bench.undo(() => client.close())

  const sidesOf = (text: string) => {
    const headers = { ...JSON_BODY, Authorization: `Bearer ${gate.facts.token}` }
    const body = JSON.stringify({ text })
    return {
      subject: () => client.send({ port: gate.port, path: "/tools/bench_echo", headers, body }),
      floor: () => client.send({ port: floor.port, path: "/accept", headers: JSON_BODY, body }),
    }
  }
  const small = await interleave(sidesOf("x".repeat(1_000)), { rounds: bench.count(2000) })
  const large = await interleave(sidesOf("x".repeat(1_000_000)), { rounds: bench.count(300) })
  return [
    { name: "HTTP: gate, body of 1 KB", unit: "ms", ...small, target: atMost(1.25) },
    { name: "HTTP: gate, body of 1 MB", unit: "ms", ...large, target: atMost(1.6) },
  ]
}

function floorRequest(port: number, path: string, body: object): Prepared {
  return { port, path, headers: JSON_BODY, body: JSON.stringify(body) }
}
