import type { StreamName } from "../../../../core/jobs/record.ts"
import type { JobRunner, SpoolPage, WatchedFacts } from "../../../../core/jobs/runner.ts"
import type { ToldRun } from "./told-run.ts"

/** Facts of a run that goes on, with what was written since its watcher read last, so that it need not ask for that. */
export interface ToldAhead extends ToldRun {
  /** Each page without its bytes: stdout's stand first in `bytes`, then stderr's, and each reaches the end of its stream. */
  readonly further?: Readonly<Record<StreamName, Omit<SpoolPage, "bytes">>>
}

/** A host reads no more than this in one turn. */
const MOST_BYTES = 4096

/** The facts with what lies at these offsets, or as they are: where it is much, or not all kept. */
export async function tellAhead(
  jobs: Pick<JobRunner, "read">,
  { ahead, ...facts }: WatchedFacts,
  reading: Readonly<Record<StreamName, number>>,
): Promise<ToldAhead> {
  const { jobId } = facts
  const [stdout, stderr] =
    ahead === undefined
      ? [
          await jobs.read(jobId, "stdout", { from: reading.stdout, max: MOST_BYTES }),
          await jobs.read(jobId, "stderr", { from: reading.stderr, max: MOST_BYTES }),
        ]
      : [ahead.stdout, ahead.stderr]
  if (stdout === undefined || stderr === undefined) return facts
  if (!isAllFrom(stdout, reading.stdout) || !isAllFrom(stderr, reading.stderr)) return facts
  if (stdout.bytes.length + stderr.bytes.length > MOST_BYTES) return facts
  const { bytes: out, ...ofStdout } = stdout
  const { bytes: err, ...ofStderr } = stderr
  return { ...facts, further: { stdout: ofStdout, stderr: ofStderr }, bytes: Buffer.concat([out, err]) }
}

/** What was told, taken apart; anything else as it is. */
export function takeAhead(told: ToldAhead): WatchedFacts {
  const { further, bytes, ...facts } = told
  if (further === undefined || bytes === undefined) return told
  const { stdout, stderr } = further
  const border = stdout.total - stdout.from
  return {
    ...facts,
    // Copied: what came with it in the same chunk is not to be held.
    ahead: {
      stdout: { ...stdout, bytes: new Uint8Array(bytes.subarray(0, border)) },
      stderr: { ...stderr, bytes: new Uint8Array(bytes.subarray(border)) },
    },
  }
}

const isAllFrom = ({ from, bytes, total }: SpoolPage, reading: number): boolean =>
  from === reading && from + bytes.length === total
