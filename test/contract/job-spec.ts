import type { JobRunner, RunFacts, StartSpec } from "../../core/jobs/runner.ts"
import { createIds } from "../../core/kernel/ids.ts"

const ids = createIds()

/** A spec with the defaults that a tool would fill in. */
export function specFor(root: string, text: string, more: Partial<StartSpec> = {}): StartSpec {
  return {
    jobId: ids.job(),
    root,
    cwd: ".",
    command: { kind: "shell", text },
    env: [],
    timeoutMs: 60_000,
    background: "end",
    secrets: [],
    ...more,
  }
}

/** Starts, waits for the end, reads both streams. */
export async function runToEnd(
  runner: JobRunner,
  spec: StartSpec,
): Promise<{ readonly facts: RunFacts; readonly stdout: string; readonly stderr: string }> {
  await runner.start(spec)
  const facts = await runner.watch(spec.jobId, { from: 0, until: "end" })
  if (facts === undefined) throw new Error("the runner forgot a Job that nobody acknowledged")
  return { facts, stdout: await readAll(runner, spec, "stdout"), stderr: await readAll(runner, spec, "stderr") }
}

/** All retained bytes of a stream as text. */
export async function readAll(runner: JobRunner, spec: StartSpec, stream: "stdout" | "stderr"): Promise<string> {
  const chunks: Uint8Array[] = []
  let from = 0
  for (;;) {
    const page = await runner.read(spec.jobId, stream, { from, max: 65_536 })
    if (page === undefined || page.bytes.length === 0) return Buffer.concat(chunks).toString()
    chunks.push(page.bytes)
    from = page.from + page.bytes.length
  }
}
