import type { Selectable } from "kysely"
import { z } from "zod"
import type { Shell, ShellTarget } from "../../../core/shells/record.ts"
import type { ShellsTable } from "../schema.ts"
import { fromJson } from "./json.ts"

const targetSchema: z.ZodType<ShellTarget> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("local"), label: z.literal("local") }),
  z.object({
    kind: z.literal("ssh"),
    label: z.string(),
    host: z.string(),
    user: z.string().exactOptional(),
    port: z.number().int().exactOptional(),
    resource: z.string().exactOptional(),
    resourceGeneration: z.string().exactOptional(),
  }),
  z.object({ kind: z.literal("docker"), label: z.string(), container: z.string() }),
])

/** The shell of a row. */
export function shellOf(row: Selectable<ShellsTable>): Shell {
  return {
    shellUid: row.shell_uid,
    shellId: row.shell_id,
    family: row.family,
    ownerPrincipal: row.owner_principal,
    ownerFingerprint: row.owner_fingerprint,
    target: fromJson(targetSchema, row.target_json),
    dialect: row.dialect,
    initialCwd: row.initial_cwd,
    onExit: row.on_exit,
    idleTtlMs: row.idle_ttl_ms,
    generation: row.generation,
    state: row.state,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revision: row.revision,
    ...optionalOf(row),
  }
}

function optionalOf(row: Selectable<ShellsTable>) {
  return {
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.project_pk !== null && { projectPk: row.project_pk }),
    ...(row.output_budget_json !== null && { outputBudgetJson: row.output_budget_json }),
    ...(row.fence_json !== null && { fenceJson: row.fence_json }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.host_id !== null && { hostId: row.host_id }),
    ...(row.guard_fingerprint !== null && { guardFingerprint: row.guard_fingerprint }),
    ...(row.policy_fingerprint !== null && { policyFingerprint: row.policy_fingerprint }),
    ...(row.open_digest !== null && { openDigest: row.open_digest }),
    ...(row.closed_at !== null && { closedAt: row.closed_at }),
    ...(row.last_cwd !== null && { lastCwd: row.last_cwd }),
  }
}

/** The row of a shell. */
export function shellRow(shell: Shell): Selectable<ShellsTable> {
  return {
    shell_uid: shell.shellUid,
    shell_id: shell.shellId,
    family: shell.family,
    owner_principal: shell.ownerPrincipal,
    owner_fingerprint: shell.ownerFingerprint,
    session_id: shell.sessionId ?? null,
    project_pk: shell.projectPk ?? null,
    target_json: JSON.stringify(shell.target),
    dialect: shell.dialect,
    initial_cwd: shell.initialCwd,
    on_exit: shell.onExit,
    idle_ttl_ms: shell.idleTtlMs,
    output_budget_json: shell.outputBudgetJson ?? null,
    fence_json: shell.fenceJson ?? null,
    generation: shell.generation,
    state: shell.state,
    reason: shell.reason ?? null,
    host_id: shell.hostId ?? null,
    guard_fingerprint: shell.guardFingerprint ?? null,
    policy_fingerprint: shell.policyFingerprint ?? null,
    open_digest: shell.openDigest ?? null,
    created_at: shell.createdAt,
    last_used_at: shell.lastUsedAt,
    closed_at: shell.closedAt ?? null,
    last_cwd: shell.lastCwd ?? null,
    revision: shell.revision,
  }
}
