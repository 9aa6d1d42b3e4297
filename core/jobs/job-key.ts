import { createHmac } from "node:crypto"
import canonicalize from "canonicalize"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Tx } from "../store.ts"
import { jobOwner } from "./access.ts"
import { checkedText } from "./environment.ts"
import type { Job } from "./record.ts"

const MAX_KEY_BYTES = 128

/** Names the intent of one start (spec exec-and-jobs.md §9). */
export const keyField = textSchema(1, MAX_KEY_BYTES).describe("Equal key and content: the same Job.")

/** The caller's key, and what its content is recognised by. */
export interface JobKey {
  readonly value: string
  /** HMAC of the parsed input without the key. */
  readonly digest: string
}

/** The key of a start, where its caller gave one. Throws `invalid_arguments`. */
export async function jobKey(
  { ports }: Pick<Call, "ports">,
  input: { readonly idempotency_key?: string | undefined },
): Promise<{ readonly key?: JobKey }> {
  const { idempotency_key: value, ...content } = input
  if (value === undefined) return {}
  checkedText("idempotency_key", value, MAX_KEY_BYTES)
  const digest = createHmac("sha256", `holdfast.job-content.v1\0${await ports.store.instanceKey()}`)
    .update(canonicalize(content) ?? "")
    .digest("hex")
  return { key: { value, digest } }
}

/**
 * The Job that an earlier call made under the key; `undefined` for a key that is new, or whose Job is gone. Throws
 * `idempotency_conflict` where that one had other content.
 */
export async function jobOfKey(
  tx: Tx,
  call: Pick<Call, "tool" | "caller" | "project">,
  key: JobKey,
): Promise<Job | undefined> {
  const earlier = await tx.jobs.byKey({
    ownerFingerprint: jobOwner(call.caller),
    tool: call.tool,
    ...(call.project === undefined ? {} : { projectPk: call.project.pk }),
    key: key.value,
  })
  if (earlier === undefined || earlier.inputDigest === key.digest) return earlier
  throw new ToolError(
    "idempotency_conflict",
    "This idempotency_key named another content before. Repeat that content for its Job, or take a new key.",
    { details: { job_id: earlier.jobId }, executionState: "not_started" },
  )
}
