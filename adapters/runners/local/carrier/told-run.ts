import type { StreamName } from "../../../../core/jobs/record.ts"
import type { JobRunner, RunFacts, SpoolPage } from "../../../../core/jobs/runner.ts"

/**
 * Facts of a run as a host tells them: with its end comes all that it wrote, where that is little, so that its server asks for
 * nothing more.
 */
export interface ToldRun extends RunFacts {
  readonly written?: Readonly<Record<StreamName, Written>>
  /** What stdout has, then what stderr has. */
  readonly bytes?: Uint8Array
}

/** One stream of an output that is told whole. */
type Written = Pick<SpoolPage, "total" | "newlines">

/** All that a run wrote, by stream. */
export type WholeOutput = Readonly<Record<StreamName, SpoolPage>>

/** A host reads no more than this in one turn. */
const MOST_BYTES = 4096

/** The facts with the output, or as they are: while more can come, and where it is much or not all there. */
export async function tellRun(jobs: Pick<JobRunner, "read">, facts: RunFacts): Promise<ToldRun> {
  const { state, outputOpen, totals } = facts
  const isLittle = totals.stdout.bytes_total + totals.stderr.bytes_total <= MOST_BYTES
  if (state !== "ended" || outputOpen || !isLittle) return facts
  const range = { from: 0, max: MOST_BYTES }
  const stdout = await jobs.read(facts.jobId, "stdout", range)
  const stderr = await jobs.read(facts.jobId, "stderr", range)
  if (stdout === undefined || stderr === undefined || ![stdout, stderr].every(isWhole)) return facts
  const bytes = Buffer.concat([stdout.bytes, stderr.bytes])
  return { ...facts, written: { stdout: writtenOf(stdout), stderr: writtenOf(stderr) }, bytes }
}

/** What was told, taken apart. */
export function takeTold({ written, bytes, ...facts }: ToldRun): {
  readonly facts: RunFacts
  readonly output?: WholeOutput
} {
  if (written === undefined || bytes === undefined) return { facts }
  const { stdout, stderr } = written
  return {
    facts,
    output: {
      stdout: pageOf(stdout, bytes.subarray(0, stdout.total)),
      stderr: pageOf(stderr, bytes.subarray(stdout.total)),
    },
  }
}

/** A page of it, as its host would give it. */
export function pageWithin(page: SpoolPage, range: { readonly from: number; readonly max: number }): SpoolPage {
  const from = Math.min(range.from, page.total)
  return { ...page, bytes: page.bytes.subarray(from, from + range.max), from }
}

const isWhole = ({ from, bytes, total }: SpoolPage): boolean => from === 0 && bytes.length === total

function writtenOf({ total, newlines }: SpoolPage): Written {
  return newlines === undefined ? { total } : { total, newlines }
}

/** Copied: what came with it in the same chunk is not to be held. */
function pageOf(written: Written, bytes: Uint8Array): SpoolPage {
  const { total } = written
  return { ...written, bytes: new Uint8Array(bytes), from: 0, retained: total === 0 ? [] : [{ from: 0, to: total }] }
}
