import { z } from "zod"
import {
  checkedDeclaration,
  expectationMember,
  recordedExpectation,
  resultExpectationField,
} from "../jobs/expectation.ts"
import { failureOf } from "../jobs/outcome.ts"
import { recalledExec, recalledJob } from "../jobs/recalled.ts"
import { recoverStart } from "../jobs/recovery.ts"
import { isTerminal } from "../jobs/states.ts"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { boundShellIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Runner } from "../runners/runner.ts"
import { closeShell } from "./close.ts"
import { requireCwd } from "./cwd-rule.ts"
import { bound, executing } from "./definition.ts"
import { resetRequired } from "./errors.ts"
import { execInShell, type FamilyRules } from "./exec.ts"
import { type BoundExec, boundExecSchema, execReductions } from "./exec-schema.ts"
import { exitedError } from "./exited.ts"
import { execErrorFacts, execEvidence, execExit, execFacts } from "./facts.ts"
import { budgetOf, commandFields, commandText, stdinText } from "./fields.ts"
import { findBound } from "./find.ts"
import { policyFault, storedFault, waitedFault } from "./recheck.ts"
import type { CloseReason, Shell } from "./record.ts"
import { requireInsideFence } from "./shell-fence.ts"
import { isEnded } from "./states.ts"

const MAX_COMMAND_BYTES = 16_000
const DEFAULT_TIMEOUT_SECS = 300

/** `session_shell_exec` (spec shells.md §11). */
export const sessionShellExec = defineTool({
  ...executing,
  name: "session_shell_exec",
  title: "Run in a Session's shell",
  description: "Runs one command in a Session's live shell; one that outlives the call goes on there as a Job.",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Project slug."),
    session_id: sessionIdSchema.describe("Session of the shell."),
    shell_id: boundShellIdSchema.describe("From open_session_shell."),
    command: textSchema(1, MAX_COMMAND_BYTES).describe("Shell text."),
    timeout_secs: z.int().min(1).max(3600).default(DEFAULT_TIMEOUT_SECS).describe("Seconds until it is ended."),
    when_busy: z.enum(["wait", "fail", "detach"]).describe("Default fail.").optional(),
    ...commandFields,
    result_expectation: resultExpectationField,
    reset_cwd: z.boolean().describe("First back to the start directory.").optional(),
    purpose: z
      .enum(["validation", "test", "build", "format", "release", "diagnostic", "operation", "other"])
      .describe("Label in the record.")
      .optional(),
  }),
  output: boundExecSchema,
  target: bound,
  inherits: [],
  resource: "ignores",
  expectation: ["result_expectation"],
  rawShell: true,
  surfaces: ["coding"],
  record: {
    input: ({ shell_id, timeout_secs, budget, stdin, when_busy, purpose }) => ({
      persistent_shell: "exec",
      shell_id,
      timeout_secs,
      budget_present: budget !== undefined,
      stdin_present: stdin !== undefined,
      when_busy: when_busy ?? "fail",
      ...(purpose === undefined ? {} : { purpose }),
    }),
    output: (output) => ({ ...execFacts(output), shell_id: output.shell_id, shell_state: output.shell_state }),
    error: execErrorFacts,
    evidence: execEvidence,
    jobId: ({ job_id }) => job_id,
    exit: execExit,
    expectation: recordedExpectation,
  },
  reduce: [...execReductions],
  verbatim: ["shell_id", "job_id", "observation_token"],
  async handler(input, call) {
    const shell = await call.ports.store.read((tx) => findBound(tx, call, input.shell_id))
    const text = commandText(input.command, MAX_COMMAND_BYTES)
    if (!isEnded(shell.state)) await requireNoFault(call, shell, await policyFault(call, shell))
    requireInsideFence(call, shell, text)
    return execInShell(call, {
      runner: call.runner(),
      shell,
      request: {
        text,
        ...(input.stdin === undefined ? {} : { stdin: stdinText(input.stdin) }),
        streams: input.streams ?? "split",
        tty: input.tty ?? false,
        env: [],
        resetCwd: input.reset_cwd ?? false,
        timeoutMs: input.timeout_secs * 1000,
        whenBusy: input.when_busy ?? "fail",
        budget: budgetOf(shell, input.budget),
        ...(input.sync_wait_secs === undefined ? {} : { syncWaitMs: input.sync_wait_secs * 1000 }),
        ...checkedDeclaration(call, input),
        ...(input.purpose === undefined ? {} : { purpose: input.purpose }),
      },
      rules: boundRules(call, { shell, runner: call.runner(), resetCwd: input.reset_cwd ?? false }),
    })
  },
  recover: recoverStart,
  async recall({ shell_id }, found) {
    const job = await recalledJob(found.ports, found)
    if (job === undefined) return undefined
    const { shellUid } = job
    const shell = shellUid === undefined ? undefined : await found.ports.store.read((tx) => tx.shells.byUid(shellUid))
    const output: BoundExec = {
      shell_id,
      shell_state: shell?.state ?? "closed",
      busy: !isTerminal(job.status),
      ...recalledExec(job, found.ports.clock.now()),
      ...expectationMember(job),
    }
    const failure = failureOf(job, output)
    if (failure !== undefined) throw failure
    return output
  },
})

interface BoundContext {
  readonly shell: Shell
  readonly runner: Runner
  readonly resetCwd: boolean
}

function boundRules(call: Call<BoundExec>, { shell, runner, resetCwd }: BoundContext): FamilyRules<BoundExec> {
  const { root } = call.requireProject()
  const { runtime, shells, store } = call.ports
  return {
    async checkClaim({ facts }) {
      const isLocal = shell.target.kind === "local"
      if (isLocal && !resetCwd)
        requireCwd(facts.cwd, [root, ...runtime.allowedRoots, ...shells.settings.temporaryRoots])
    },
    async checkWaited({ queuedMs }) {
      await requireNoFault(call, shell, await store.read((tx) => waitedFault(tx, call, { shell, queuedMs })))
    },
    async answer(result, job, { shell: after }) {
      const fault = (await policyFault(call, shell)) ?? (await store.read((tx) => storedFault(tx, shell)))
      if (fault !== undefined) await closeShell(call.ports, shell, fault)
      const exited = after?.shellExited === true
      const facts = exited || fault !== undefined ? undefined : await runner.shells.facts(shell.shellUid)
      const output: BoundExec = {
        shell_id: shell.shellId,
        shell_state: facts?.state ?? "closed",
        busy: facts?.running !== undefined,
        ...result,
        ...expectationMember(job),
      }
      return { output, failure: exited ? exitedError(job, output) : failureOf(job, output) }
    },
  }
}

/** Before a command: the shell is closed, and nothing was started (spec shells.md §11). */
async function requireNoFault(call: Call<BoundExec>, shell: Shell, fault: CloseReason | undefined): Promise<void> {
  if (fault === undefined) return
  await closeShell(call.ports, shell, fault)
  throw resetRequired(fault)
}
