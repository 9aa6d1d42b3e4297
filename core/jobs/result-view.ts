import { applyBudget } from "./output/apply-budget.ts"
import type { OutputBudget } from "./output/budget.ts"
import { sharedViews } from "./output/shared-views.ts"
import type { StartOutput } from "./output-schema.ts"
import { pagesOf } from "./pages.ts"
import type { StreamSource } from "./reading.ts"
import type { StreamName } from "./record.ts"

const HINT = "Output was cut. Pass budget to choose what is kept, or read all of it with job_log and this job_id."

/** The text members of a result (spec shells.md §4.1). */
export type StreamViews = Pick<StartOutput, "stdout" | "stderr" | "truncated" | "budget" | "hint" | "binary">

/** Both streams as a result shows them: under the caller's budget, else sharing the default one (spec shells.md §4.4). */
export async function viewStreams(
  sources: Readonly<Record<StreamName, StreamSource>>,
  budget: OutputBudget | undefined,
): Promise<StreamViews> {
  const dropped = isIncomplete(sources.stdout) || isIncomplete(sources.stderr)
  const pages = { stdout: pagesOf(sources.stdout), stderr: pagesOf(sources.stderr) }
  if (budget === undefined) {
    const { stdout, stderr } = await sharedViews(pages)
    const truncated = dropped || stdout.truncated || stderr.truncated
    return {
      stdout: stdout.text,
      stderr: stderr.text,
      truncated,
      ...(truncated ? { hint: HINT } : {}),
      ...binaryOf(stdout, stderr),
    }
  }
  const stdout = await applyBudget(pages.stdout, budget)
  const stderr = await applyBudget(pages.stderr, budget)
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: dropped || stdout.truncated || stderr.truncated,
    budget: { stdout: reportOf(stdout), stderr: reportOf(stderr) },
    ...binaryOf(stdout, stderr),
  }
}

/** Part of the stream is not kept any more. */
function isIncomplete({ total, retained }: StreamSource): boolean {
  return retained.reduce((sum, range) => sum + range.to - range.from, 0) < total
}

function binaryOf(
  stdout: { readonly binary: boolean },
  stderr: { readonly binary: boolean },
): Pick<StreamViews, "binary"> {
  if (!stdout.binary && !stderr.binary) return {}
  return { binary: { ...(stdout.binary ? { stdout: true } : {}), ...(stderr.binary ? { stderr: true } : {}) } }
}

function reportOf(view: { readonly mode: string; readonly lines_total: number; readonly lines_kept: number }) {
  return { mode: view.mode, lines_total: view.lines_total, lines_kept: view.lines_kept }
}
