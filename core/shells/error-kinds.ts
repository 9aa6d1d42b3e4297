import { z } from "zod"
import { row } from "../kernel/errors/row.ts"

const text = z.string()
const count = z.number().int()

/** Live shells (spec shells.md §14). */
export const shellKinds = {
  shell_not_found: row({ http: 200, recovery: "fix_input" }),
  checkpoint_not_found: row({ http: 200, recovery: "fix_input" }),
  shell_busy: row({
    http: 200,
    recovery: "retry_later",
    details: z.object({ job_id: text.optional(), running_ms: z.number().optional(), waiting: count }),
  }),
  shell_closed: row({ http: 200, recovery: "none", details: z.object({ reason: text, closed_at: z.number() }) }),
  shell_lost: row({ http: 200, recovery: "none", details: z.object({ reason: text, last_cwd: text.optional() }) }),
  shell_reset_required: row({ http: 200, recovery: "reobserve", details: z.object({ reason: text }) }),
  shell_exited: row({
    http: 200,
    recovery: "none",
    details: z.object({ exit_code: count.nullable(), signal: text.optional() }),
  }),
  shell_limit_reached: row({ http: 200, recovery: "reobserve", details: z.object({ max: count }) }),
  shell_already_open: row({ http: 200, recovery: "reobserve", details: z.object({ shell_id: text }) }),
  shell_start_failed: row({
    http: 200,
    recovery: "fix_input",
    alsoRecovery: "retry_later",
    details: z.object({ phase: text, detail: text.optional() }),
  }),
  ssh_failed: row({
    http: 200,
    recovery: "fix_input",
    alsoRecovery: "retry_later",
    details: z.object({ phase: z.enum(["resolve", "connect", "host_key", "auth", "remote_dir", "shell"]) }),
  }),
  ssh_auth_required: row({ http: 200, recovery: "fix_input" }),
  shell_cwd_lost: row({ http: 200, recovery: "reobserve", details: z.object({ old_cwd: text, cwd: text }) }),
  shell_cwd_denied: row({ http: 200, recovery: "fix_input", details: z.object({ cwd: text }) }),
  fence_denied: row({ http: 200, recovery: "none", details: z.object({ rule: text, program: text.optional() }) }),
  host_key_changed: row({
    http: 200,
    recovery: "none",
    details: z.object({ host: text, file: text, line: count }),
  }),
  host_key_unknown: row({ http: 200, recovery: "none" }),
  key_unavailable: row({ http: 200, recovery: "none" }),
  container_not_found: row({ http: 200, recovery: "fix_input" }),
  container_not_running: row({ http: 200, recovery: "fix_input", details: z.object({ state: text }) }),
  checkpoint_unsupported: row({
    http: 200,
    recovery: "none",
    details: z.object({ reason: z.enum(["local", "no_workspace", "no_git"]) }),
  }),
} as const
