import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createJobHost } from "../../adapters/runners/local/host/host.ts"
import { createProcTable } from "../../adapters/runners/local/host/proc-table.ts"
import type { ProcessTable } from "../../adapters/runners/local/host/process-table.ts"
import { createPsTable } from "../../adapters/runners/local/host/ps-table.ts"
import { createIds } from "../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import { jobRunnerContract, type RunnerUnderTest } from "./job-runner.ts"

async function openInline(processes: ProcessTable): Promise<RunnerUnderTest> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "hf-jobs-")))
  const root = await mkdtemp(join(home, "root-"))
  const host = createJobHost({
    hostId: createIds().instance(),
    dataDirectory: join(home, "data"),
    runtimeDirectory: join(home, "run"),
    environment: { server: { ...process.env, SERVER_SECRET: "nobody sees this" } },
    mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
    processes,
    now: Date.now,
  })
  return {
    runner: host,
    root,
    async close() {
      await host.close("end")
      await rm(home, { recursive: true, force: true })
    },
  }
}

jobRunnerContract("inline host", () => openInline(createProcTable()))
jobRunnerContract("inline host without /proc", () => openInline(createPsTable()))
