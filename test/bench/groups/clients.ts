import { createHttpClient } from "../http-client.ts"
import { interleave } from "../measure.ts"
import { makePlace } from "../place.ts"
import { loadSdk } from "../product.ts"
import { startProduct } from "../product-child.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"

/** A call with a key against the same without, and the SDK against `fetch` by hand (spec doors.md §11). */
export async function clientRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const product = await startProduct(bench, place)
  const http = createHttpClient()
  bench.undo(() => http.close())
  let serial = 0
  const change = (headers: Readonly<Record<string, string>> = {}) =>
    http.send(product.call("bench_change", { text: "x", recording_session_id: product.nextSession() }, headers))
  const keyed = await interleave(
    {
      subject: () => {
        serial += 1
        return change({ "Idempotency-Key": `bench-key-${String(serial).padStart(12, "0")}` })
      },
      floor: () => change(),
    },
    { rounds: bench.count(1500) },
  )
  const { createClient } = await loadSdk()
  const baseUrl = `http://127.0.0.1:${product.port}`
  const client = createClient({ baseUrl, token: product.token })
  const byHand = async (): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/tools/list_projects`, {
      method: "POST",
      headers: { Authorization: `Bearer ${product.token}`, "Content-Type": "application/json" },
      body: "{}",
    })
    return JSON.parse(await response.text())
  }
  const sdk = await interleave(
    { subject: () => client.tools.list_projects(), floor: byHand },
    { rounds: bench.count(1500) },
  )
  return [
    { name: "HTTP: call with a key", unit: "ms", ...keyed, target: atMost(1.3) },
    { name: "SDK: list_projects", unit: "ms", ...sdk, target: atMost(1.15) },
  ]
}
