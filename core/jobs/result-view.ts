import { byteEnds } from "./byte-ends.ts"
import { applyBudget } from "./output/apply-budget.ts"
import type { OutputBudget } from "./output/budget.ts"
import { type SharedView, sharedViews } from "./output/shared-views.ts"
import type { StartOutput } from "./output-schema.ts"
import { OutOfTime, pagesOf } from "./pages.ts"
import type { StreamSource } from "./reading.ts"
import type { StreamName, StreamTotals } from "./record.ts"

const HINT = "Output was cut. Pass budget to choose what is kept, or read all of it with job_log and this job_id."
const HURRIED = "There was no time to look at all of the output. Read it with job_log and this job_id."

/** The text members of a result (spec shells.md §4.1). */
export type StreamViews = Pick<StartOutput, "stdout" | "stderr" | "truncated" | "budget" | "hint" | "binary">

/** What is shown of a result, and until when there is time to find it. */
export interface ViewRequest {
  readonly sources: Readonly<Record<StreamName, StreamSource>>
  readonly totals: Readonly<Record<StreamName, StreamTotals>>
  readonly budget: OutputBudget | undefined
  readonly until: () => boolean
}

/**
 * Both streams as a result shows them: under the caller's budget, else sharing the default one (spec shells.md §4.4).
 * Where the time runs out, the first and last bytes of each.
 */
export async function viewStreams(request: ViewRequest): Promise<StreamViews> {
  const { sources } = request
  const dropped = droppedOf(sources.stdout) + droppedOf(sources.stderr)
  const views = await wholeViews(request).catch((error: unknown) => {
    if (error instanceof OutOfTime) return hurriedViews(request)
    throw error
  })
  const truncated = dropped > 0 || views.truncated
  const hint = hintOf(request, { dropped, truncated, hurried: views.hint })
  return { ...views, truncated, ...(hint === undefined ? {} : { hint }) }
}

async function wholeViews({ sources, totals, budget, until }: ViewRequest): Promise<StreamViews> {
  const pages = { stdout: pagesOf(sources.stdout, { until }), stderr: pagesOf(sources.stderr, { until }) }
  if (budget === undefined) return joined(await sharedViews(pages))
  const stdout = await applyBudget(pages.stdout, budget, totals.stdout.lines_total)
  const stderr = await applyBudget(pages.stderr, budget, totals.stderr.lines_total)
  return { ...joined({ stdout, stderr }), budget: { stdout: reportOf(stdout), stderr: reportOf(stderr) } }
}

async function hurriedViews({ sources, totals, budget }: ViewRequest): Promise<StreamViews> {
  const stdout = await byteEnds(sources.stdout)
  const stderr = await byteEnds(sources.stderr)
  const report = (text: string, lines_total: number) => ({
    mode: "out_of_time",
    lines_total,
    lines_kept: Math.min(lines_total, text.split("\n").length),
  })
  return {
    ...joined({ stdout, stderr }),
    hint: HURRIED,
    ...(budget === undefined
      ? {}
      : {
          budget: {
            stdout: report(stdout.text, totals.stdout.lines_total),
            stderr: report(stderr.text, totals.stderr.lines_total),
          },
        }),
  }
}

function hintOf(
  { budget }: ViewRequest,
  known: { readonly dropped: number; readonly truncated: boolean; readonly hurried: string | undefined },
): string | undefined {
  const parts = [
    ...(known.dropped === 0 ? [] : [`The middle of the output, ${known.dropped} bytes, was dropped and is not kept.`]),
    ...(known.hurried === undefined ? [] : [known.hurried]),
    ...(known.truncated && known.hurried === undefined && budget === undefined ? [HINT] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(" ")
}

/** Bytes of the stream that are not kept any more. */
function droppedOf({ total, retained }: StreamSource): number {
  return total - retained.reduce((sum, range) => sum + range.to - range.from, 0)
}

function joined({
  stdout,
  stderr,
}: Readonly<Record<StreamName, SharedView>>): Pick<StreamViews, "stdout" | "stderr" | "truncated" | "binary"> {
  const binary = {
    ...(stdout.binary ? { stdout: true as const } : {}),
    ...(stderr.binary ? { stderr: true as const } : {}),
  }
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.truncated || stderr.truncated,
    ...(stdout.binary || stderr.binary ? { binary } : {}),
  }
}

function reportOf(view: { readonly mode: string; readonly lines_total: number; readonly lines_kept: number }) {
  return { mode: view.mode, lines_total: view.lines_total, lines_kept: view.lines_kept }
}
