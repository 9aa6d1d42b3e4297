import { startHttpChild } from "../children.ts"
import { createHttpClient } from "../http-client.ts"
import { interleave } from "../measure.ts"
import { makePlace } from "../place.ts"
import { startProduct } from "../product-child.ts"
import { atMost, type Row, shown } from "../row.ts"
import type { Bench } from "../scope.ts"

/** The OpenAPI documents against Express sending the same buffer (spec doors.md §11). */
export async function documentRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const product = await startProduct(bench, place, { sessions: 1 })
  const client = createHttpClient()
  bench.undo(() => client.close())
  const ours = { method: "GET", port: product.port, path: "/openapi.json" } as const
  const text = await client.send(ours)
  const floor = await startHttpChild(bench, "express-floor.ts", { args: ["-", await place.file("openapi.json", text)] })
  const theirs = { method: "GET", port: floor.port, path: "/document" } as const
  const rounds = bench.count(1000)
  const whole = await interleave({ subject: () => client.send(ours), floor: () => client.send(theirs) }, { rounds })
  const tags = { ours: await etagOf(ours), theirs: await etagOf(theirs) }
  const known = await interleave(
    {
      subject: () => client.send({ ...ours, headers: { "If-None-Match": tags.ours }, status: 304 }),
      floor: () => client.send({ ...theirs, headers: { "If-None-Match": tags.theirs }, status: 304 }),
    },
    { rounds },
  )
  const actions = await client.send({ ...ours, path: "/openapi/gpt-actions.json" })
  return [
    { name: "Document: 200", unit: "ms", ...whole, target: atMost(1.2) },
    { name: "Document: 304", unit: "ms", ...known, target: atMost(1.2) },
    { name: "Document: openapi.json", unit: "bytes", subject: Buffer.byteLength(text), target: shown },
    { name: "Document: gpt-actions.json", unit: "bytes", subject: Buffer.byteLength(actions), target: shown },
  ]
}

async function etagOf({ port, path }: { readonly port: number; readonly path: string }): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  await response.arrayBuffer()
  return response.headers.get("etag") ?? ""
}
