import type { Caller } from "../../access/principal.ts"
import type { Deadline } from "../call.ts"
import type { BoundChatSession } from "../chat-sessions.ts"
import type { MessageId } from "../ids.ts"
import type { CallRequest } from "../kernel.ts"
import type { PermissionDecision } from "../permission.ts"
import type { ProjectedTool } from "../projection.ts"
import type { ParsedInput } from "./parse-call.ts"
import type { SessionDemand } from "./session-checks.ts"
import type { Targets } from "./targets.ts"

/** A call key as step 7 uses it; the secret decrypts the stored result and is stored nowhere. */
export interface PlannedKey {
  readonly secret: string
  readonly hash: string
  readonly inputHash: string
}

/** A call that passed steps 1–6: everything that the effect and its record need. */
export interface CallPlan {
  readonly requestId: string
  readonly door: CallRequest["door"]
  readonly caller: Caller
  readonly tool: ProjectedTool
  /** With execution defaults. */
  readonly input: ParsedInput
  readonly targets: Targets
  readonly demand: SessionDemand
  readonly chat: BoundChatSession | undefined
  readonly decision: PermissionDecision | undefined
  readonly deadline: Deadline
  readonly key: PlannedKey | undefined
  readonly replyLimit: number
  /** Message ids that the caller says it still holds, each once. */
  readonly acks: readonly MessageId[]
  /** Whether the door offers to say so. */
  readonly acknowledges: boolean
}
