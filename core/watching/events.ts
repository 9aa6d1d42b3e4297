import type { Job, StreamName } from "../jobs/record.ts"
import type { Shell } from "../shells/record.ts"

interface Command {
  readonly job_id: string
  /** Absent for a command that runs in no live shell. */
  readonly shell_id?: string
}

/** What whoever watches is told, in the order in which it happened to one shell or command (spec shells.md §13). */
export type WatchEvent =
  | {
      readonly event: "shell_opened"
      readonly shell_id: string
      readonly family: Shell["family"]
      readonly transport: Shell["target"]["kind"]
      readonly shell: Shell["dialect"]
      /** Where it was opened; it can be elsewhere by now. */
      readonly cwd: string
      readonly at: number
    }
  | (Command & {
      readonly event: "command_started"
      readonly kind: Job["kind"]
      readonly tool: string
      /** Slug. */
      readonly project?: string
      /** Masked, ≤ 200 characters; absent where its host no longer knows it. */
      readonly command?: string
      readonly at: number
    })
  | (Command & {
      readonly event: "output"
      readonly stream: StreamName
      /** Of the first byte, in the masked output. */
      readonly offset: number
      /** How many bytes it covers. */
      readonly bytes: number
      /** As it was written: control sequences are still in it. */
      readonly text: string
    })
  | (Command & {
      readonly event: "gap"
      readonly stream: StreamName
      readonly offset: number
      /** Bytes that are no longer kept. */
      readonly bytes: number
    })
  | (Command & {
      readonly event: "command_ended"
      /** `exited`, `signaled`, `timed_out`, `cancelled`, `lost`, `unknown`. */
      readonly outcome: string
      readonly exit_code: number | null
      readonly signal?: string
      readonly bytes_total?: Readonly<Record<StreamName, number>>
      readonly at?: number
    })
  | {
      readonly event: "shell_closed"
      readonly shell_id: string
      readonly state: Shell["state"]
      readonly reason?: string
      readonly at?: number
    }

/** An event, and the place right after it. */
export interface WatchMessage {
  readonly event: WatchEvent
  /** Absent where the place has too many parts to be named; an earlier one repeats, and leaves nothing out. */
  readonly cursor: string | undefined
}
