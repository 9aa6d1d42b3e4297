import { randomBytes } from "node:crypto"
import { z } from "zod"

const SESSION_ID = /^wc_sess_[A-Za-z0-9_-]{16}$/
const MESSAGE_ID = /^wc_msg_[A-Za-z0-9_-]{16}$/

/** `wc_sess_` + 16 base64url characters: a Workflow Session (spec sessions.md §1.1). */
export const sessionIdSchema = z.string().regex(SESSION_ID).brand<"SessionId">()
export type SessionId = z.infer<typeof sessionIdSchema>
/** The same as a plain test, for many values at once. */
export const isSessionId = (value: unknown): boolean => typeof value === "string" && SESSION_ID.test(value)

/** `evt_` + 32 hex: one ledger event (spec sessions.md §1.1). */
export const eventIdSchema = z
  .string()
  .regex(/^evt_[0-9a-f]{32}$/)
  .brand<"EventId">()
export type EventId = z.infer<typeof eventIdSchema>

/** `wc_call_` + 32 hex: one recorded role of one call (spec kernel.md §4). */
export const callIdSchema = z
  .string()
  .regex(/^wc_call_[0-9a-f]{32}$/)
  .brand<"CallId">()
export type CallId = z.infer<typeof callIdSchema>

/** `wc_inv_` + 32 hex: one call, shared by the pairs of both roles; never a permission or retry token (spec kernel.md §4). */
export const invocationIdSchema = z
  .string()
  .regex(/^wc_inv_[0-9a-f]{32}$/)
  .brand<"InvocationId">()
export type InvocationId = z.infer<typeof invocationIdSchema>

/** `wc_perm_` + 32 hex: one permission decision (spec kernel.md §7). */
export const permissionIdSchema = z
  .string()
  .regex(/^wc_perm_[0-9a-f]{32}$/)
  .brand<"PermissionId">()
export type PermissionId = z.infer<typeof permissionIdSchema>

/** `wc_job_` + 32 hex: one execution (spec exec-and-jobs.md §1). */
export const jobIdSchema = z
  .string()
  .regex(/^wc_job_[0-9a-f]{32}$/)
  .brand<"JobId">()
export type JobId = z.infer<typeof jobIdSchema>

/** `wc_msg_` + 16 base64url characters: one message, of a board or between peers (spec messages.md §1). */
export const messageIdSchema = z.string().regex(MESSAGE_ID).brand<"MessageId">()
export type MessageId = z.infer<typeof messageIdSchema>
/** The same as a plain test, for many values at once. */
export const isMessageId = (value: unknown): boolean => typeof value === "string" && MESSAGE_ID.test(value)

/** `cred_` + 16 base32 characters: one credential row, never the secret (spec kernel.md §2.2). */
export const credentialIdSchema = z
  .string()
  .regex(/^cred_[a-z2-7]{16}$/, "must be the id of a credential as the lists show it: cred_ and 16 characters")
  .brand<"CredentialId">()
export type CredentialId = z.infer<typeof credentialIdSchema>

/** 26 base32 characters: a Project registration, stable across slugs (spec kernel.md §9). */
export const projectPkSchema = z
  .string()
  .regex(/^[a-z2-7]{26}$/)
  .brand<"ProjectPk">()
export type ProjectPk = z.infer<typeof projectPkSchema>

/** 26 base32 characters: one live shell for ever, whatever it is called (spec shells.md §3). */
export const shellUidSchema = z
  .string()
  .regex(/^[a-z2-7]{26}$/)
  .brand<"ShellUid">()
export type ShellUid = z.infer<typeof shellUidSchema>

/** `wc_shell_` + 32 hex: a shell bound to a Workflow Session (spec shells.md §1). */
export const boundShellIdSchema = z
  .string()
  .regex(/^wc_shell_[0-9a-f]{32}$/)
  .brand<"BoundShellId">()
export type BoundShellId = z.infer<typeof boundShellIdSchema>

/** 26 base32 characters: one server process of a data directory (spec kernel.md §15). */
export const instanceIdSchema = z
  .string()
  .regex(/^[a-z2-7]{26}$/)
  .brand<"InstanceId">()
export type InstanceId = z.infer<typeof instanceIdSchema>

/** Mints every random id; the one port behind which tests make ids predictable (design §9). */
export interface Ids {
  session(): SessionId
  event(): EventId
  call(): CallId
  invocation(): InvocationId
  permission(): PermissionId
  job(): JobId
  message(): MessageId
  credential(): CredentialId
  projectPk(): ProjectPk
  instance(): InstanceId
  shellUid(): ShellUid
  boundShell(): BoundShellId
  /** 32 hex characters for `X-Request-Id` and other one-off names without authority. */
  token(): string
  /** A new secret's random part: 43 base64url characters of 32 random bytes (spec kernel.md §2.2). */
  secret(): string
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567"

function base32(bytes: Uint8Array): string {
  let text = ""
  for (const byte of bytes) text += BASE32[byte & 31]
  return text
}

const POOL_BYTES = 4096
/** Larger requests, which are secrets, get bytes of their own. */
const MAX_POOLED_BYTES = 26

/** The system's cryptographic source, asked for many small requests at once: asking costs more than the bytes. */
function pooledRandom(): (size: number) => Uint8Array {
  let pool = Buffer.alloc(0)
  let used = 0
  return (size) => {
    if (size > MAX_POOLED_BYTES) return randomBytes(size)
    if (used + size > pool.length) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    used += size
    return pool.subarray(used - size, used)
  }
}

/** Ids from a source of random bytes; the default is the system's cryptographic one. */
export function createIds(random: (size: number) => Uint8Array = pooledRandom()): Ids {
  const encoded = (size: number, encoding: "hex" | "base64url"): string => {
    const { buffer, byteOffset, byteLength } = random(size)
    return Buffer.from(buffer, byteOffset, byteLength).toString(encoding)
  }
  const hex = (size: number): string => encoded(size, "hex")
  const base64url = (size: number): string => encoded(size, "base64url")
  return {
    session: () => sessionIdSchema.parse(`wc_sess_${base64url(12)}`),
    event: () => eventIdSchema.parse(`evt_${hex(16)}`),
    call: () => callIdSchema.parse(`wc_call_${hex(16)}`),
    invocation: () => invocationIdSchema.parse(`wc_inv_${hex(16)}`),
    permission: () => permissionIdSchema.parse(`wc_perm_${hex(16)}`),
    job: () => jobIdSchema.parse(`wc_job_${hex(16)}`),
    message: () => messageIdSchema.parse(`wc_msg_${base64url(12)}`),
    credential: () => credentialIdSchema.parse(`cred_${base32(random(16))}`),
    projectPk: () => projectPkSchema.parse(base32(random(26))),
    instance: () => instanceIdSchema.parse(base32(random(26))),
    shellUid: () => shellUidSchema.parse(base32(random(26))),
    boundShell: () => boundShellIdSchema.parse(`wc_shell_${hex(16)}`),
    token: () => hex(16),
    secret: () => base64url(32),
  }
}
