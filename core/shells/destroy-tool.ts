import { z } from "zod"
import { survivorsSchema } from "../jobs/output-schema.ts"
import type { BackgroundProcess } from "../jobs/runner.ts"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { isToolError } from "../kernel/error.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { changeShell, endProcess, tellChange } from "./commit.ts"
import { closing, unbound } from "./definition.ts"
import { changeEvidence } from "./facts.ts"
import { findFree, localRunner } from "./find.ts"
import type { Shell } from "./record.ts"
import { asClosed } from "./states.ts"

const MAX_NAMED = 16

const named = z.array(z.object({ pid: z.number().int(), command: z.string().max(80) })).max(MAX_NAMED)

/** What a close does with background processes. */
export const backgroundField = z.enum(["kill", "keep"]).describe("Left processes; default kill.").optional()

const NOTHING = { destroyed: false, ended: 0, kept: [], survivors: [] }

/** `session_destroy` (spec shells.md §10). */
export const sessionDestroy = defineTool({
  ...closing,
  name: "session_destroy",
  title: "Close a free shell",
  description: "Ends a free shell, its running command and its background processes. Asked again it changes nothing.",
  input: z.strictObject({
    session_id: textSchema(1, 200).describe("From session_create."),
    background: backgroundField,
  }),
  output: z.object({
    destroyed: z.boolean(),
    ended: z.number().int(),
    kept: named,
    survivors: survivorsSchema.max(MAX_NAMED),
  }),
  target: unbound,
  foreign: ["session_id"],
  surfaces: ["shell"],
  record: {
    input: ({ session_id, background }) => ({
      persistent_shell: "close",
      shell_id: session_id,
      background: background ?? "kill",
    }),
    output: ({ destroyed, ended, kept, survivors }) => ({
      persistent_shell: "close",
      already_closed: !destroyed,
      ended_count: ended,
      kept_count: kept.length,
      survivor_count: survivors.length,
    }),
    evidence: (result) => changeEvidence(result, ({ destroyed }) => destroyed),
  },
  reduce: [
    { at: "kept", kind: "list", min: 1 },
    { at: "survivors", kind: "list", min: 1 },
  ],
  async handler({ session_id, background = "kill" }, call) {
    const shell = await closedRow(call, session_id)
    if (shell === undefined) return NOTHING
    const closed = await endProcess(localRunner(call), shell, background)
    return {
      destroyed: true,
      ended: closed?.ended.length ?? 0,
      kept: (closed?.kept ?? []).slice(0, MAX_NAMED).map(processView),
      survivors: [...(closed?.survivors ?? [])].slice(0, MAX_NAMED),
    }
  },
})

/** Closes the row; `undefined` where there was nothing to close. */
async function closedRow(call: Call, shellId: string): Promise<Shell | undefined> {
  try {
    const result = await call.ports.store.write(async (tx) => {
      const { shellUid } = await findFree(tx, call, shellId)
      return changeShell(tx, shellUid, (shell) => asClosed(shell, "destroyed", call.now()))
    })
    if (result?.changed !== true) return undefined
    tellChange(call.ports, result.shell)
    return result.shell
  } catch (error) {
    if (isToolError(error) && error.kind === "shell_not_found") return undefined
    throw error
  }
}

/** One process as callers see it. */
export const processView = ({ pid, command }: BackgroundProcess) => ({ pid, command })
