// A host in a process of its own, to be killed; started by adoption.test.ts. Adopts first, then starts what it is told.

import { z } from "zod"
import { createJobHost } from "../../../adapters/runners/local/host/host.ts"
import type { StartSpec } from "../../../core/jobs/runner.ts"
import { jobIdSchema } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"

const orderSchema = z.object({
  home: z.string(),
  hostId: z.string(),
  root: z.string(),
  starts: z.array(
    z.object({
      jobId: jobIdSchema,
      command: z.string(),
      timeoutMs: z.number(),
      background: z.enum(["end", "keep"]),
      secrets: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
})
const order = orderSchema.parse(JSON.parse(process.argv[2] ?? ""))
const host = createJobHost({
  hostId: order.hostId,
  dataDirectory: `${order.home}/data`,
  runtimeDirectory: `${order.home}/run`,
  environment: { server: process.env },
  mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
  now: Date.now,
})
await host.adopt()
for (const { command, ...start } of order.starts) {
  const spec: StartSpec = { ...start, root: order.root, cwd: ".", env: [], command: { kind: "shell", text: command } }
  await host.start(spec)
}
process.stdout.write("started\n")
setInterval(() => undefined, 1000)
