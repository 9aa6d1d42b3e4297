// A host in a process of its own with shells and commands elsewhere, to be killed; started by remote-line.ts. Adopts first, then does
// what it is told, the last text of each shell and every command without waiting for its end.

import { z } from "zod"
import { createJobHost } from "../../../adapters/runners/local/host/host.ts"
import { remoteSettingsSchema } from "../../../adapters/runners/local/shells/remote/settings.ts"
import { jobIdSchema, shellUidSchema } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { shellSpec } from "../../contract/shell-fixture.ts"

const sshSchema = z.object({
  kind: z.literal("ssh"),
  host: z.string(),
  port: z.number(),
  user: z.string(),
  auth: z.object({ keyPath: z.string() }),
})
const reachSchema = z.union([sshSchema, z.object({ kind: z.literal("docker"), container: z.string() })])

const orderSchema = z.object({
  home: z.string(),
  hostId: z.string(),
  path: z.string(),
  settings: remoteSettingsSchema,
  shells: z.array(
    z.object({
      uid: shellUidSchema,
      reach: reachSchema,
      texts: z.array(z.string()),
      /** Time for the idle record after the texts, ms. */
      restMs: z.number(),
      job: jobIdSchema,
      last: z.string().optional(),
      timeoutMs: z.number(),
    }),
  ),
  jobs: z.array(
    z.object({
      job: jobIdSchema,
      reach: sshSchema,
      text: z.string(),
      background: z.enum(["end", "keep"]),
      timeoutMs: z.number(),
    }),
  ),
})
const order = orderSchema.parse(JSON.parse(process.argv[2] ?? ""))
const host = createJobHost({
  hostId: order.hostId,
  dataDirectory: `${order.home}/data`,
  runtimeDirectory: `${order.home}/run`,
  environment: { server: { PATH: order.path, HOME: order.home } },
  mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
  remote: order.settings,
  now: Date.now,
})
await host.adopt()

const sleepMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

for (const { uid, reach, texts, restMs, job, last, timeoutMs } of order.shells) {
  async function send(jobId: string, text: string): Promise<void> {
    const { claimId } = await host.shells.claim(uid, { whenBusy: "wait" })
    await host.shells.exec({
      claimId,
      shellUid: uid,
      text,
      streams: "split",
      tty: false,
      env: [],
      resetCwd: false,
      secrets: [],
      timeoutMs,
      jobId: jobIdSchema.parse(jobId),
    })
  }
  if ((await host.shells.facts(uid)) === undefined) {
    await host.shells.open(
      shellSpec({ root: `${order.home}/root` }, { shellUid: uid, reach, exact: false, cwd: "/tmp" }),
    )
  }
  for (const [index, text] of texts.entries()) {
    const jobId = jobIdSchema.parse(job.slice(0, -2) + String(10 + index))
    await send(jobId, text)
    await host.watch(jobId, { from: 0, until: "end" })
  }
  await sleepMs(restMs)
  if (last !== undefined) await send(job, last)
}
for (const { job, reach, text, background, timeoutMs } of order.jobs) {
  await host.start({
    jobId: job,
    root: `${order.home}/root`,
    cwd: "",
    reach,
    command: { kind: "shell", text },
    env: [],
    timeoutMs,
    background,
    secrets: [],
  })
}
process.stdout.write("ready\n")
setInterval(() => undefined, 1000)
