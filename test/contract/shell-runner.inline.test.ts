import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createJobHost } from "../../adapters/runners/local/host/host.ts"
import { createIds } from "../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import type { ShellsUnderTest } from "./shell-fixture.ts"
import { shellRunnerContract } from "./shell-runner.ts"

async function openInline(): Promise<ShellsUnderTest> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "hf-shells-")))
  const root = await mkdtemp(join(home, "root-"))
  const host = createJobHost({
    hostId: createIds().instance(),
    dataDirectory: join(home, "data"),
    runtimeDirectory: join(home, "run"),
    environment: { server: { ...process.env, SERVER_SECRET: "nobody sees this" } },
    mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
    now: Date.now,
  })
  return {
    jobs: host,
    shells: host.shells,
    root,
    async close() {
      await host.close("end")
      await rm(home, { recursive: true, force: true })
    },
  }
}

shellRunnerContract("inline host", openInline)
