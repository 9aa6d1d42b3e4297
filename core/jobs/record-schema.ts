import { z } from "zod"
import { CANCELLED_BY, type Outcome, type StreamName, type StreamTotals, type Then } from "./record.ts"

const count = z.number().int()

const then: z.ZodType<Then> = z.object({
  exit_code: count.exactOptional(),
  signal: z.string().exactOptional(),
  survivors: z.array(z.object({ pid: count, started_at: z.number(), command: z.string() })),
})

/** An outcome as rows and journals keep it (spec exec-and-jobs.md §4). */
export const outcomeRecordSchema: z.ZodType<Outcome> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), exit_code: count }),
  z.object({ kind: z.literal("signaled"), signal: z.string(), core_dumped: z.boolean().exactOptional() }),
  z.object({ kind: z.literal("timed_out"), after_ms: z.number(), then }),
  z.object({ kind: z.literal("cancelled"), by: z.enum(CANCELLED_BY), then }),
  z.object({ kind: z.literal("lost"), reason: z.string() }),
  z.object({ kind: z.literal("unknown"), reason: z.string() }),
])

const totals: z.ZodType<StreamTotals> = z.object({
  bytes_total: count,
  lines_total: count,
  dropped_bytes: count,
  masked: count,
})

/** The totals of both streams as rows and journals keep them (spec exec-and-jobs.md §5.1). */
export const totalsRecordSchema: z.ZodType<Readonly<Record<StreamName, StreamTotals>>> = z.object({
  stdout: totals,
  stderr: totals,
})
