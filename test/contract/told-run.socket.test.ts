import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { StreamName } from "../../core/jobs/record.ts"
import { specFor } from "./job-spec.ts"
import { openSocketHost, type SocketHost } from "./socket-host.ts"

const RANGES = [
  { from: 0, max: 0 },
  { from: 0, max: 4096 },
  { from: 2, max: 3 },
  { from: 99, max: 10 },
]

/** Every page of both streams, as one side sees it. */
async function pagesOf(side: SocketHost["carrier"], jobId: ReturnType<typeof specFor>["jobId"]) {
  const streams: readonly StreamName[] = ["stdout", "stderr"]
  const pages = streams.flatMap((stream) => RANGES.map((range) => side.jobs.read(jobId, stream, range)))
  return (await Promise.all(pages)).map((page) => ({ ...page, bytes: Buffer.from(page?.bytes ?? []).toString("hex") }))
}

describe("what a host tells with the end of a command", () => {
  it("is what it would be asked for: the server that started it and one that did not read the same pages", async () => {
    const host = await openSocketHost(process.env)
    try {
      for (const text of ["true", "printf 'a\\nb'; printf '\\377\\0x' >&2", "head -c 5000 /dev/zero | tr '\\0' z"]) {
        const spec = specFor(host.root, text)
        await host.carrier.jobs.start(spec)
        const facts = await host.carrier.jobs.watch(spec.jobId, { from: 0, until: "answer" })
        expect(facts).toMatchObject({ state: "ended", outputOpen: false })
        expect(facts).not.toHaveProperty("bytes")
        expect(await pagesOf(host.carrier, spec.jobId)).toEqual(await pagesOf(host.beside(), spec.jobId))
        await host.carrier.jobs.ack([spec.jobId])
      }
    } finally {
      await host.close()
    }
  })

  it("an acknowledgement comes to the host though nothing else is asked", async () => {
    const host = await openSocketHost(process.env)
    try {
      const other = host.beside()
      const spec = specFor(host.root, "true")
      await host.carrier.jobs.start(spec)
      await host.carrier.jobs.watch(spec.jobId, { from: 0, until: "end" })
      expect(await other.jobs.inventory()).toHaveLength(1)
      await host.carrier.jobs.ack([spec.jobId])
      for (let left = 100; left > 0 && (await other.jobs.inventory()).length > 0; left--) await sleep(20)
      expect(await other.jobs.inventory()).toEqual([])
    } finally {
      await host.close()
    }
  })
})
