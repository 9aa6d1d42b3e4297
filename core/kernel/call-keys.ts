import type { CallId } from "./ids.ts"

/** A call key's row (table `call_keys`, spec doors.md §2.5). */
export interface CallKeyRow {
  readonly keyHash: string
  readonly tool: string
  readonly inputHash: string
  readonly callId: CallId
  readonly state: "started" | "finished"
  /** The ToolResult under AES-256-GCM with a key derived from the caller's key; absent while started or over 256 KiB. */
  readonly result?: Uint8Array
  /** JSON of the recovered outcome, set by recovery. */
  readonly recovered?: string
  readonly deadlineAt: number
  readonly createdAt: number
  readonly expiresAt: number
}

export interface CallKeyStore {
  byHash(keyHash: string): Promise<CallKeyRow | undefined>
  insert(row: CallKeyRow): Promise<void>
  finish(keyHash: string, result: Uint8Array | undefined): Promise<void>
  /** Notes what recovery found for the row of this call, if one exists. */
  recover(callId: CallId, recovered: string): Promise<void>
  /** Removes ≤ `limit` rows expired at `now`; returns how many. */
  prune(now: number, limit: number): Promise<number>
}
