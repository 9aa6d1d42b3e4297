import { z } from "zod"
import { row } from "../kernel/errors/row.ts"

const text = z.string()
const count = z.number().int()
const survivors = z.array(z.object({ pid: count, started_at: z.number(), command: text }))

/** Execution and Jobs (spec exec-and-jobs.md §10, shells.md §7). */
export const jobKinds = {
  process_exit: row({
    http: 200,
    recovery: "none",
    details: z.object({ exit_code: count.nullable(), signal: text.optional() }),
  }),
  timed_out: row({
    http: 200,
    recovery: "none",
    details: z.object({ after_ms: z.number(), survivors: survivors.optional() }),
  }),
  executable_not_found: row({ http: 200, recovery: "fix_input" }),
  not_executable: row({ http: 200, recovery: "fix_input" }),
  interpreter_unavailable: row({ http: 200, recovery: "fix_input", details: z.object({ language: text }) }),
  use_run_shell: row({ http: 200, recovery: "fix_input" }),
  cwd_invalid: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ reason: z.enum(["missing", "not_directory", "outside", "denied"]) }),
  }),
  env_name_reserved: row({ http: 200, recovery: "fix_input", details: z.object({ name: text }) }),
  spawn_failed: row({
    http: 200,
    recovery: "retry_later",
    alsoRecovery: "fix_input",
    details: z.object({ code: text }),
  }),
  job_limit_reached: row({ http: 200, recovery: "retry_later", details: z.object({ running: count, queued: count }) }),
  job_not_found: row({ http: 200, recovery: "reobserve" }),
  observation_token_invalid: row({ http: 200, recovery: "fix_input" }),
  budget_invalid: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ field: text, reason: text.optional() }),
  }),
  output_evicted: row({ http: 200, recovery: "none", details: z.object({ finished_at: z.number() }) }),
} as const
