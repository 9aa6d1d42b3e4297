import { createAuditLog } from "../../adapters/audit-log/index.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import type { Secrets } from "../../core/kernel/secrets.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
import { type CommandLog, NO_COMMAND_LOG } from "../../core/shells/audit-log/command-log.ts"
import { createCommandLog } from "../../core/shells/audit-log/create-command-log.ts"
import type { Config } from "../config/keys.ts"

/** The audit log of commands, and what its files need. */
export interface KeptCommandLog {
  readonly log: CommandLog
  /** Removes files that are too old. */
  sweep(now: number): Promise<void>
  /** Resolves when the last line is written. */
  close(): Promise<void>
}

/** The log as `audit_log` and `audit_log_days` say; without the first one nothing is kept (spec shells.md §13). */
export function composeCommandLog(
  { audit_log: target, audit_log_days: days }: Pick<Config, "audit_log" | "audit_log_days">,
  ports: { readonly clock: Clock; readonly secrets: Secrets; readonly telemetry: Telemetry },
): KeptCommandLog {
  if (target === undefined) return { log: NO_COMMAND_LOG, sweep: async () => {}, close: async () => {} }
  const warn = (error: unknown): void => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "slow"
    ports.telemetry.note("the audit log cannot be written; entries are missing from now on", { code })
  }
  const files = createAuditLog({ target, days, warn })
  return {
    log: createCommandLog({ ...ports, sink: files }),
    sweep: (now) => files.sweep(now),
    close: () => files.flush(),
  }
}
