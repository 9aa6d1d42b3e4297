import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { REPOSITORY } from "../support/build.ts"

/** The revisions that the suite judges. */
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const

/** How one run of the suite ended. */
export interface SuiteRun {
  readonly exitCode: number | null
  /** What it printed. */
  readonly report: string
}

/** Runs what a revision requires against an endpoint; exit 0 = all passed but exactly the scenarios of its baseline. */
export async function runSuite(url: string, revision: (typeof REVISIONS)[number]): Promise<SuiteRun> {
  const results = await mkdtemp(path.join(tmpdir(), "hf-conformance-"))
  const program = path.join(REPOSITORY, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
  const baseline = fileURLToPath(new URL(`${revision}.yml`, import.meta.url))
  const args = ["--url", url, "--requirements", revision, "--expected-failures", baseline, "-o", results]
  const child = spawn(process.execPath, [program, "server", ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let report = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      report += chunk
    })
  }
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)))
  await rm(results, { recursive: true, force: true })
  return { exitCode, report }
}
