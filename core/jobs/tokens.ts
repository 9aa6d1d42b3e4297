import { createHmac, timingSafeEqual } from "node:crypto"
import { ToolError } from "../kernel/error.ts"
import { type JobId, jobIdSchema } from "../kernel/ids.ts"
import type { StreamName } from "./record.ts"

/** What a reader had seen of a Job (spec exec-and-jobs.md §7.3). Offsets are spool offsets. */
export interface Observation {
  readonly jobId: JobId
  readonly revision: number
  readonly offsets: Readonly<Record<StreamName, number>>
}

const PREFIX = "jo1_"
const PAYLOAD_BYTES = 16 + 3 * 6
const MAC_BYTES = 16

/** An opaque, signed text of ≤ 184 characters; valid in every server of the installation and across restarts. */
export function encodeObservation(key: string, seen: Observation): string {
  const payload = Buffer.alloc(PAYLOAD_BYTES)
  payload.write(seen.jobId.slice("wc_job_".length), 0, "hex")
  payload.writeUIntBE(seen.revision, 16, 6)
  payload.writeUIntBE(seen.offsets.stdout, 22, 6)
  payload.writeUIntBE(seen.offsets.stderr, 28, 6)
  return PREFIX + Buffer.concat([payload, macOf(key, payload)]).toString("base64url")
}

/** Throws `observation_token_invalid` when the token is malformed or of another Job. */
export function decodeObservation(key: string, token: string, jobId: JobId): Observation {
  const text = token.startsWith(PREFIX) ? token.slice(PREFIX.length) : ""
  const bytes = Buffer.from(text, "base64url")
  // One spelling alone is a token: decoding forgives padding, blanks and the other alphabet.
  if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES || bytes.toString("base64url") !== text) throw invalidToken()
  const payload = bytes.subarray(0, PAYLOAD_BYTES)
  if (!timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), macOf(key, payload))) throw invalidToken()
  const named = jobIdSchema.safeParse(`wc_job_${payload.toString("hex", 0, 16)}`).data
  if (named === undefined || named !== jobId) throw invalidToken()
  return {
    jobId,
    revision: payload.readUIntBE(16, 6),
    offsets: { stdout: payload.readUIntBE(22, 6), stderr: payload.readUIntBE(28, 6) },
  }
}

function macOf(key: string, payload: Uint8Array): Buffer {
  return createHmac("sha256", `holdfast.observation.v1\0${key}`).update(payload).digest().subarray(0, MAC_BYTES)
}

function invalidToken(): ToolError<"observation_token_invalid"> {
  return new ToolError(
    "observation_token_invalid",
    "The observation token is malformed or belongs to another Job. Leave it out to get a baseline and a fresh token.",
  )
}
