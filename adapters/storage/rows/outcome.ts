import { z } from "zod"
import type { Outcome, StreamName, StreamTotals, Then } from "../../../core/jobs/record.ts"

const count = z.number().int()

/** The member's name in stored outcomes; spelled out, since an object literal with it would look like a promise. */
const THEN = "then"

const thenSchema: z.ZodType<Then> = z.object({
  exit_code: count.exactOptional(),
  signal: z.string().exactOptional(),
  survivors: z.array(z.object({ pid: count, started_at: z.number(), command: z.string() })),
})

const cancelledBySchema = z.enum([
  "stop_job",
  "caller",
  "session_closed",
  "project_closed",
  "chat_stopped",
  "shell_closed",
  "shutdown",
  "output_limit",
  "operator",
  "orphaned",
])

/** `outcome_json` and `late_outcome_json` (spec exec-and-jobs.md §4). */
export const outcomeSchema: z.ZodType<Outcome> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), exit_code: count }),
  z.object({ kind: z.literal("signaled"), signal: z.string(), core_dumped: z.boolean().exactOptional() }),
  z.object({ kind: z.literal("timed_out"), after_ms: z.number(), [THEN]: thenSchema }),
  z.object({ kind: z.literal("cancelled"), by: cancelledBySchema, [THEN]: thenSchema }),
  z.object({ kind: z.literal("lost"), reason: z.string() }),
  z.object({ kind: z.literal("unknown"), reason: z.string() }),
])

const totalsSchema: z.ZodType<StreamTotals> = z.object({
  bytes_total: count,
  lines_total: count,
  dropped_bytes: count,
  masked: count,
})

/** `output_json` (spec exec-and-jobs.md §5.1). */
export const outputSchema: z.ZodType<Readonly<Record<StreamName, StreamTotals>>> = z.object({
  stdout: totalsSchema,
  stderr: totalsSchema,
})
