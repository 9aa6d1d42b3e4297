import type { Selectable } from "kysely"
import type { Job } from "../../../core/jobs/record.ts"
import { outcomeRecordSchema, totalsRecordSchema } from "../../../core/jobs/record-schema.ts"
import { declaredSchema } from "../../../core/validation/expectation.ts"
import type { JobsTable } from "../schema.ts"
import { bit } from "./bit.ts"
import { fromJson, toJson } from "./json.ts"

/** The Job of a row. */
export function jobOf(row: Selectable<JobsTable>): Job {
  return {
    jobId: row.job_id,
    kind: row.kind,
    tool: row.tool,
    ownerFingerprint: row.owner_fingerprint,
    principalId: row.principal_id,
    callId: row.call_id,
    invocationId: row.invocation_id,
    target: row.target,
    status: row.status,
    executionState: row.execution_state,
    handedOver: row.handed_over === 1,
    timeoutMs: row.timeout_ms,
    createdAt: row.created_at,
    recovered: row.recovered === 1,
    outputGap: row.output_gap === 1,
    outputState: row.output_state,
    revision: row.revision,
    ...placeOf(row),
    ...endOf(row),
  }
}

/** What a Job was asked for and where it runs. */
function placeOf(row: Selectable<JobsTable>) {
  return {
    ...(row.project_pk !== null && { projectPk: row.project_pk }),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.idempotency_key !== null && { idempotencyKey: row.idempotency_key }),
    ...(row.input_digest !== null && { inputDigest: row.input_digest }),
    ...(row.purpose !== null && { purpose: row.purpose }),
    ...(row.expectation_json !== null && { expectation: fromJson(declaredSchema, row.expectation_json) }),
    ...(row.shell_uid !== null && { shellUid: row.shell_uid }),
    ...(row.resource !== null && { resource: row.resource }),
    ...(row.cwd !== null && { cwd: row.cwd }),
    ...(row.host_id !== null && { hostId: row.host_id }),
  }
}

/** What became of a Job. */
function endOf(row: Selectable<JobsTable>) {
  return {
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(row.recovering_since !== null && { recoveringSince: row.recovering_since }),
    ...(row.stop_requested_at !== null && { stopRequestedAt: row.stop_requested_at }),
    ...(row.stop_cause !== null && { stopCause: row.stop_cause }),
    ...(row.outcome_json !== null && { outcome: fromJson(outcomeRecordSchema, row.outcome_json) }),
    ...(row.late_outcome_json !== null && { lateOutcome: fromJson(outcomeRecordSchema, row.late_outcome_json) }),
    ...(row.output_json !== null && { output: fromJson(totalsRecordSchema, row.output_json) }),
  }
}

/** The row of a Job. */
export function jobRow(job: Job): Selectable<JobsTable> {
  return {
    job_id: job.jobId,
    kind: job.kind,
    tool: job.tool,
    owner_fingerprint: job.ownerFingerprint,
    principal_id: job.principalId,
    project_pk: job.projectPk ?? null,
    session_id: job.sessionId ?? null,
    call_id: job.callId,
    invocation_id: job.invocationId,
    idempotency_key: job.idempotencyKey ?? null,
    input_digest: job.inputDigest ?? null,
    purpose: job.purpose ?? null,
    expectation_json: toJson(job.expectation),
    shell_uid: job.shellUid ?? null,
    target: job.target,
    resource: job.resource ?? null,
    cwd: job.cwd ?? null,
    status: job.status,
    execution_state: job.executionState,
    outcome_json: toJson(job.outcome),
    late_outcome_json: toJson(job.lateOutcome),
    handed_over: bit(job.handedOver),
    timeout_ms: job.timeoutMs,
    host_id: job.hostId ?? null,
    created_at: job.createdAt,
    started_at: job.startedAt ?? null,
    finished_at: job.finishedAt ?? null,
    recovering_since: job.recoveringSince ?? null,
    stop_requested_at: job.stopRequestedAt ?? null,
    stop_cause: job.stopCause ?? null,
    recovered: bit(job.recovered),
    output_gap: bit(job.outputGap),
    output_json: toJson(job.output),
    output_state: job.outputState,
    revision: job.revision,
  }
}
