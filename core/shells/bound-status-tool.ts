import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { boundShellIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Project } from "../projects/record.ts"
import { executorOf, executorSchema } from "./bound-open-tool.ts"
import { closeShell } from "./close.ts"
import { settleShell } from "./commit.ts"
import { bound } from "./definition.ts"
import { endedError, resetRequired } from "./errors.ts"
import { shellBackgroundSchema, shellStateSchema } from "./exec-schema.ts"
import { backgroundView } from "./exec-view.ts"
import { findBound, localRunner } from "./find.ts"
import { idleMs, runningSchema, standingOf } from "./list-tool.ts"
import { policyFault, storedFault } from "./recheck.ts"
import { DIALECTS, type Shell } from "./record.ts"
import type { ShellFacts } from "./runner.ts"
import { isEnded } from "./states.ts"

const MAX_NAMED = 8

const output = z.object({
  shell_id: z.string().max(64),
  shell: z.enum(DIALECTS),
  shell_state: shellStateSchema,
  busy: z.boolean(),
  running: runningSchema.optional(),
  cwd: z.string().max(4096),
  initial_cwd: z.string().max(4096),
  executor: executorSchema,
  generation: z.number().int(),
  idle_ms: z.number(),
  background: shellBackgroundSchema,
  close_reason: z.string().max(80).optional(),
})
type StatusOutput = z.infer<typeof output>

/** `session_shell_status` (spec shells.md §11). */
export const sessionShellStatus = defineTool({
  name: "session_shell_status",
  title: "Look at a Session's shell",
  description: "Shows state, directory and running command of a Session's live shell, or how its last one ended.",
  category: "shell",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Slug."),
    session_id: sessionIdSchema.describe("Its shell."),
    shell_id: boundShellIdSchema.describe("Default: the live one, else the last.").optional(),
  }),
  output,
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["runtime:read"],
  target: bound,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  deadline: "short",
  surfaces: [],
  record: {
    output: ({ shell_id, shell_state, busy }) => ({ persistent_shell: "status", shell_id, shell_state, busy }),
  },
  reduce: [
    { at: "background", kind: "list", min: 0 },
    { at: "cwd", kind: "text", min: 200 },
    { at: "initial_cwd", kind: "text", min: 200 },
    { at: "executor.label", kind: "text", min: 80 },
  ],
  verbatim: ["shell_id"],
  async handler({ shell_id }, call) {
    const found = await call.ports.store.read((tx) => findBound(tx, call, shell_id))
    if (isEnded(found.state)) return viewOf(call, found, undefined)
    await recheck(call, found)
    const runner = localRunner(call)
    await runner.shells.touch(found.shellUid)
    await settleShell(call.ports, runner, found.shellUid)
    const facts = await runner.shells.facts(found.shellUid)
    const shell = (await call.ports.store.read((tx) => tx.shells.byUid(found.shellUid))) ?? found
    return viewOf(call, shell, isEnded(shell.state) ? undefined : facts)
  },
})

/** What no longer holds closes the shell (spec shells.md §11). Throws `shell_reset_required`. */
async function recheck(call: Call<StatusOutput>, shell: Shell): Promise<void> {
  const fault = (await policyFault(call, shell)) ?? (await call.ports.store.read((tx) => storedFault(tx, shell)))
  const isGone = fault === undefined && shell.target.kind === "local" && (await rootIsGone(call, call.requireProject()))
  if (fault === undefined && !isGone) return
  await closeShell(call.ports, shell, fault ?? "project_closed")
  throw resetRequired(fault ?? "workspace_missing")
}

async function rootIsGone({ ports }: Pick<Call, "ports">, { clientId, root }: Project): Promise<boolean> {
  const facts = await ports.runners.get(clientId)?.roots.inspect(root)
  return facts !== undefined && facts.kind !== "directory"
}

function viewOf(call: Pick<Call, "now">, shell: Shell, facts: ShellFacts | undefined): StatusOutput {
  return {
    shell_id: shell.shellId,
    shell: facts?.dialect ?? shell.dialect,
    shell_state: facts?.state ?? shell.state,
    ...standingOf(call, facts),
    cwd: facts?.cwd ?? shell.lastCwd ?? shell.initialCwd,
    initial_cwd: shell.initialCwd,
    executor: executorOf(shell),
    generation: facts?.generation ?? shell.generation,
    idle_ms: idleMs(call, shell, facts),
    background: (facts?.background ?? []).slice(0, MAX_NAMED).map(backgroundView),
    ...(endedError(shell) === undefined || shell.reason === undefined ? {} : { close_reason: shell.reason }),
  }
}
