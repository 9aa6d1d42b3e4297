// A host whose process was given a descriptor by its parent; prints what a command sees of it; started by host.test.ts.

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createJobHost } from "../../../adapters/runners/local/host/host.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { runToEnd, specFor } from "../../contract/job-spec.ts"

const home = await mkdtemp(join(tmpdir(), "hf-inherit-"))
const host = createJobHost({
  hostId: createIds().instance(),
  dataDirectory: join(home, "data"),
  runtimeDirectory: join(home, "run"),
  environment: { server: process.env },
  mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
  now: Date.now,
})
const { stdout } = await runToEnd(host, specFor(home, "readlink /proc/self/fd/* | grep -c handed-down; echo $0 $PPID"))
process.stdout.write(stdout.replace(String(process.pid), "parent"))
await host.close("end")
await rm(home, { recursive: true })
