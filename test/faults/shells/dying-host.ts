// A host in a process of its own, to be killed; started by adoption.test.ts. Adopts first, then opens its shells and runs
// what it is told, the last text of each without waiting for its end.

import { readdirSync, statSync } from "node:fs"
import { z } from "zod"
import { createJobHost } from "../../../adapters/runners/local/host/host.ts"
import { jobIdSchema, shellUidSchema } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { shellSpec } from "../../contract/shell-fixture.ts"

const orderSchema = z.object({
  home: z.string(),
  hostId: z.string(),
  shells: z.array(
    z.object({
      uid: shellUidSchema,
      dialect: z.enum(["bash", "sh"]),
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      secrets: z.array(z.object({ name: z.string(), value: z.string() })),
      texts: z.array(z.string()),
      /** After each text its idle record is waited for. */
      rests: z.boolean(),
      job: jobIdSchema,
      last: z.string().optional(),
      onExit: z.enum(["restore", "close"]),
      beside: z.string().optional(),
      timeoutMs: z.number(),
    }),
  ),
})
const order = orderSchema.parse(JSON.parse(process.argv[2] ?? ""))
const host = createJobHost({
  hostId: order.hostId,
  dataDirectory: `${order.home}/data`,
  runtimeDirectory: `${order.home}/run`,
  environment: { server: { PATH: process.env.PATH, HOME: order.home } },
  mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
  now: Date.now,
})
await host.adopt()

async function send(
  uid: z.infer<typeof shellUidSchema>,
  text: string,
  more: { jobId: string; timeoutMs: number; whenBusy?: "wait" | "detach" },
): Promise<void> {
  const { claimId } = await host.shells.claim(uid, { whenBusy: more.whenBusy ?? "wait" })
  await host.shells.exec({
    claimId,
    shellUid: uid,
    text,
    streams: "split",
    tty: false,
    env: [],
    resetCwd: false,
    secrets: [],
    timeoutMs: more.timeoutMs,
    jobId: jobIdSchema.parse(more.jobId),
  })
}

/** The idle record of a command that ended at this time is stored; its file is whole milliseconds younger. */
async function snapshotSince(uid: string, at: number): Promise<void> {
  const folders = `${order.home}/run`
  for (;;) {
    for (const folder of readdirSync(folders)) {
      for (const name of namesIn(`${folders}/${folder}`)) {
        const path = `${folders}/${folder}/${name}/n`
        if (name.startsWith(`${uid}-`) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > at) return
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const namesIn = (directory: string): readonly string[] =>
  statSync(directory).isDirectory() ? readdirSync(directory) : []

for (const { uid, dialect, env, secrets, texts, rests, job, last, timeoutMs, onExit, beside } of order.shells) {
  const spec = shellSpec({ root: `${order.home}/root` }, { shellUid: uid, dialect, env, secrets, onExit })
  if ((await host.shells.facts(uid)) === undefined) await host.shells.open(spec)
  for (const [index, text] of texts.entries()) {
    const jobId = job.slice(0, -2) + String(10 + index)
    await send(uid, text, { jobId, timeoutMs: 60_000 })
    await host.watch(jobIdSchema.parse(jobId), { from: 0, until: "end" })
    if (rests) await snapshotSince(uid, Date.now())
  }
  process.stdout.write("sending\n")
  if (last !== undefined) await send(uid, last, { jobId: job, timeoutMs })
  if (beside !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    await send(uid, beside, { jobId: `${job.slice(0, -2)}ff`, timeoutMs, whenBusy: "detach" })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
process.stdout.write("ready\n")
setInterval(() => undefined, 1000)
