import { z } from "zod"
import { survivorsSchema } from "../jobs/output-schema.ts"
import { defineTool } from "../kernel/definition.ts"
import { boundShellIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { changeShell, endProcess, tellChange } from "./commit.ts"
import { bound, closing } from "./definition.ts"
import { backgroundField } from "./destroy-tool.ts"
import { shellNotFound } from "./errors.ts"
import { shellStateSchema } from "./exec-schema.ts"
import { changeEvidence } from "./facts.ts"
import { findBound, localRunner } from "./find.ts"
import { asClosed } from "./states.ts"

const MAX_NAMED = 16

/** `close_session_shell` (spec shells.md §11). */
export const closeSessionShell = defineTool({
  ...closing,
  name: "close_session_shell",
  title: "Close a Session's shell",
  description: "Ends a Session's shell, its running command and background processes; a repeat says already_closed.",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Slug."),
    session_id: sessionIdSchema.describe("Its shell."),
    shell_id: boundShellIdSchema.describe("The shell."),
    background: backgroundField,
  }),
  output: z.object({
    shell_id: z.string().max(64),
    shell_state: shellStateSchema,
    close_reason: z.string().max(80),
    already_closed: z.boolean(),
    ended: z.number().int(),
    survivors: survivorsSchema.max(MAX_NAMED),
  }),
  target: bound,
  surfaces: [],
  record: {
    input: ({ shell_id, background }) => ({ persistent_shell: "close", shell_id, background: background ?? "kill" }),
    output: ({ shell_id, shell_state, already_closed, ended, survivors }) => ({
      persistent_shell: "close",
      shell_id,
      shell_state,
      already_closed,
      ended_count: ended,
      survivor_count: survivors.length,
    }),
    evidence: (result) => changeEvidence(result, ({ already_closed }) => !already_closed),
  },
  reduce: [{ at: "survivors", kind: "list", min: 1 }],
  verbatim: ["shell_id"],
  async handler({ shell_id, background = "kill" }, call) {
    const result = await call.ports.store.write(async (tx) => {
      const { shellUid } = await findBound(tx, call, shell_id)
      return changeShell(tx, shellUid, (shell) => asClosed(shell, "destroyed", call.now()))
    })
    if (result === undefined) throw shellNotFound("bound")
    const { shell, changed } = result
    if (changed) tellChange(call.ports, shell)
    const closed = changed ? await endProcess(localRunner(call), shell, background) : undefined
    return {
      shell_id: shell.shellId,
      shell_state: shell.state,
      close_reason: shell.reason ?? "destroyed",
      already_closed: !changed,
      ended: closed?.ended.length ?? 0,
      survivors: [...(closed?.survivors ?? [])].slice(0, MAX_NAMED),
    }
  },
})
