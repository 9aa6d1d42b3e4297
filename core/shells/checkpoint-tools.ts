import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { ToolError } from "../kernel/error.ts"
import { labelSchema, textSchema } from "../kernel/text-schema.ts"
import { unbound } from "./definition.ts"
import { endedError } from "./errors.ts"
import { changeEvidence } from "./facts.ts"
import { findFree, shellsOf } from "./find.ts"
import type { Shell } from "./record.ts"

const MAX_LISTED = 512

const sessionId = textSchema(1, 200).describe("From session_create.")
const checkpointId = z.string().regex(/^[0-9a-f]{40}$/)

const common = {
  category: "shell",
  openWorld: false,
  scopes: ["job:run"],
  target: unbound,
  foreign: ["session_id"],
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "vcs",
  deadline: "wait",
  surfaces: ["shell"],
} as const

/** `session_checkpoint` (spec shells.md §12). */
export const sessionCheckpoint = defineTool({
  ...common,
  name: "session_checkpoint",
  title: "Checkpoint a remote folder",
  description:
    "Keeps the present state of a remote shell's workspace folder, so that session_restore can bring it back.",
  input: z.strictObject({
    session_id: sessionId,
    label: labelSchema(0, 120).describe("What it is.").optional(),
  }),
  output: z.object({ checkpoint_id: checkpointId }),
  effect: "execute",
  destructive: false,
  idempotency: "none",
  risk: "shell",
  record: {
    input: ({ session_id }) => ({ shell_id: session_id }),
    output: ({ checkpoint_id }) => ({ checkpoint_id }),
    evidence: (result) => changeEvidence(result, () => true),
  },
  reduce: [],
  async handler({ session_id, label = "" }, call) {
    const { shellUid } = await remoteShell(call, session_id)
    return { checkpoint_id: (await shellsOf(call).checkpoint(shellUid, label)).id }
  },
})

/** `session_checkpoints` (spec shells.md §12). */
export const sessionCheckpoints = defineTool({
  ...common,
  name: "session_checkpoints",
  title: "List checkpoints",
  description: "Lists the kept states of a remote shell's workspace folder, newest first.",
  input: z.strictObject({ session_id: sessionId }),
  output: z.object({
    checkpoints: z
      .array(
        z.object({
          id: checkpointId,
          label: z.string().max(240),
          created: z.string().max(20),
          created_at: z.number(),
          automatic: z.boolean(),
        }),
      )
      .max(MAX_LISTED),
  }),
  effect: "observe",
  destructive: false,
  idempotency: "natural",
  risk: "none",
  record: { output: ({ checkpoints }) => ({ checkpoints: checkpoints.length }) },
  reduce: [{ at: "checkpoints", kind: "list", min: 1 }],
  async handler({ session_id }, call) {
    const { shellUid } = await remoteShell(call, session_id)
    const kept = await shellsOf(call).checkpoints(shellUid)
    return {
      checkpoints: kept.slice(0, MAX_LISTED).map(({ id, label, createdAt, automatic }) => ({
        id,
        label,
        created: String(Math.floor(createdAt / 1000)),
        created_at: createdAt,
        automatic,
      })),
    }
  },
})

/** `session_restore` (spec shells.md §12). */
export const sessionRestore = defineTool({
  ...common,
  name: "session_restore",
  title: "Restore a checkpoint",
  description: "Makes a remote shell's workspace folder equal to a checkpoint, after keeping its present state as one.",
  input: z.strictObject({
    session_id: sessionId,
    checkpoint_id: textSchema(1, 64).describe("Default: the latest.").optional(),
  }),
  output: z.object({
    restored_to: checkpointId,
    files_changed: z.number().int(),
    removed: z.number().int(),
    safety_checkpoint_id: checkpointId,
  }),
  effect: "execute",
  destructive: true,
  idempotency: "none",
  risk: "shell",
  record: {
    input: ({ session_id }) => ({ shell_id: session_id }),
    output: ({ restored_to, files_changed, removed }) => ({ checkpoint_id: restored_to, files_changed, removed }),
    evidence: (result) => changeEvidence(result, ({ files_changed, removed }) => files_changed + removed > 0),
  },
  reduce: [],
  async handler({ session_id, checkpoint_id }, call) {
    const { shellUid } = await remoteShell(call, session_id)
    if (checkpoint_id !== undefined && !checkpointId.safeParse(checkpoint_id).success) throw notFound()
    const restored = await shellsOf(call).restore(shellUid, checkpoint_id)
    return {
      restored_to: restored.restoredTo,
      files_changed: restored.filesChanged,
      removed: restored.removed,
      safety_checkpoint_id: restored.safetyCheckpointId,
    }
  },
})

/** The caller's live remote shell. Throws `shell_not_found`, what it has ended with, `checkpoint_unsupported`. */
async function remoteShell(call: Pick<Call, "ports" | "principal">, shellId: string): Promise<Shell> {
  const shell = await call.ports.store.read((tx) => findFree(tx, call, shellId))
  const refusal = endedError(shell)
  if (refusal !== undefined) throw refusal
  if (shell.target.kind !== "local") return shell
  throw new ToolError(
    "checkpoint_unsupported",
    "Shells of this machine have no checkpoints of their own. Use the workspace_checkpoint tools of the Project.",
    { details: { reason: "local" }, executionState: "not_started" },
  )
}

function notFound(): ToolError<"checkpoint_not_found"> {
  return new ToolError("checkpoint_not_found", "No such checkpoint is kept. Look at session_checkpoints.", {
    executionState: "not_started",
  })
}
