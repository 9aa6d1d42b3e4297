import { z } from "zod"
import { checkedEnvironment } from "../jobs/environment.ts"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { ToolError } from "../kernel/error.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Tx } from "../store.ts"
import { bound, executing } from "./definition.ts"
import { shellStateSchema } from "./exec-schema.ts"
import { changeEvidence } from "./facts.ts"
import { budgetJson, cwdText, openFields } from "./fields.ts"
import { commitOpened, type Opened, type OpenPlan, openShell } from "./open.ts"
import { waitUntilOpen } from "./opening.ts"
import { fingerprint, policyFingerprint, settingsOf } from "./policy.ts"
import { DIALECTS, type Shell } from "./record.ts"
import { recoverOpen } from "./recovery.ts"
import { placeOfSession } from "./session-place.ts"

const input = z.strictObject({
  project: textSchema(1, 64).describe("Project slug."),
  session_id: sessionIdSchema.describe("Session it belongs to."),
  ...openFields,
})
type OpenInput = z.output<typeof input>

/** Where a shell runs, as callers see it. */
export const executorSchema = z.object({ kind: z.enum(["local", "ssh", "docker"]), label: z.string().max(400) })

/** The executor of a shell. */
export const executorOf = ({ target }: Shell) => ({ kind: target.kind, label: target.label })

const output = z.object({
  shell_id: z.string().max(64),
  shell: z.enum(DIALECTS),
  shell_state: shellStateSchema,
  cwd: z.string().max(4096),
  initial_cwd: z.string().max(4096),
  executor: executorSchema,
  generation: z.number().int(),
  already_open: z.boolean(),
})
type OpenOutput = z.infer<typeof output>

/** `open_session_shell` (spec shells.md §11). */
export const openSessionShell = defineTool({
  ...executing,
  name: "open_session_shell",
  title: "Open a Session's shell",
  description: "Opens the live shell of a Session, which keeps directory and variables between commands.",
  input,
  output,
  target: bound,
  inherits: ["cwd", "shell"],
  resource: "routes",
  rawShell: true,
  surfaces: ["coding"],
  record: {
    input: ({ env, on_exit }) => ({
      persistent_shell: "open",
      env_count: env?.length ?? 0,
      on_exit: on_exit ?? "restore",
    }),
    output: ({ shell_id, shell_state, already_open }) => ({
      persistent_shell: "open",
      shell_id,
      shell_state,
      already_open,
    }),
    evidence: (result) => changeEvidence(result, ({ already_open }) => !already_open),
  },
  reduce: [
    { at: "cwd", kind: "text", min: 200 },
    { at: "initial_cwd", kind: "text", min: 200 },
    { at: "executor.label", kind: "text", min: 80 },
  ],
  verbatim: ["shell_id"],
  async handler(wanted, call) {
    const plan = await planOf(wanted, call)
    const opened = await openShell(call, call.runner(), { ...plan, existing: (tx) => sameShell(tx, call, plan) })
    if (opened.already) return viewOf(await waitUntilOpen(call, opened.shell), undefined, true)
    return commitOpened(call, opened, (facts) => viewOf(opened.shell, facts, false))
  },
  recover: recoverOpen,
})

function viewOf(shell: Shell, facts: Opened["facts"], already: boolean): OpenOutput {
  return {
    shell_id: shell.shellId,
    shell: shell.dialect,
    shell_state: shell.state,
    cwd: facts?.cwd ?? shell.lastCwd ?? shell.initialCwd,
    initial_cwd: shell.initialCwd,
    executor: executorOf(shell),
    generation: shell.generation,
    already_open: already,
  }
}

/** The Session's live shell if it was opened with the same. Throws `shell_already_open`. */
async function sameShell(tx: Tx, call: Call<OpenOutput>, { openDigest }: OpenPlan): Promise<Shell | undefined> {
  const [live] = await tx.shells.live({ sessionId: call.requireSession().sessionId })
  if (live === undefined || live.openDigest === openDigest) return live
  throw new ToolError(
    "shell_already_open",
    "This Session has a live shell that was opened with other parameters. Use that one, or close it first.",
    { details: { shell_id: live.shellId }, executionState: "not_started" },
  )
}

async function planOf(wanted: OpenInput, call: Call<OpenOutput>): Promise<OpenPlan> {
  const { pk } = call.requireProject()
  const { env: profile, init } = settingsOf(call, pk)
  const env = [...profile, ...checkedEnvironment(wanted.env ?? [])]
  const outputBudgetJson = budgetJson(wanted.output_budget)
  const place = await placeOfSession(call, wanted.cwd === undefined ? undefined : cwdText(wanted.cwd))
  const onExit = wanted.on_exit ?? "restore"
  const asked = [
    place.target.label,
    place.cwd ?? "",
    wanted.shell ?? "",
    env.map(({ name, value }) => [name, value]),
    outputBudgetJson ?? "",
    onExit,
  ]
  return {
    family: "bound",
    ...place,
    ...(wanted.shell === undefined ? {} : { dialect: wanted.shell }),
    env,
    onExit,
    idleTtlMs: call.ports.shells.settings.idleTtlMs,
    ...(outputBudgetJson === undefined ? {} : { outputBudgetJson }),
    ...(init === undefined ? {} : { init }),
    policyFingerprint: await policyFingerprint(call, pk),
    openDigest: await fingerprint(call, asked),
    bound: { sessionId: call.requireSession().sessionId, projectPk: pk },
  }
}
