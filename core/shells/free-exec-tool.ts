import { z } from "zod"
import { checkedEnvironment, environmentSchema } from "../jobs/environment.ts"
import { failureOf } from "../jobs/outcome.ts"
import { recalledExec, recalledJob } from "../jobs/recalled.ts"
import type { Job } from "../jobs/record.ts"
import { recoverStart } from "../jobs/recovery.ts"
import type { CallPorts } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import type { ToolError } from "../kernel/error.ts"
import { learnedLiterals } from "../kernel/redaction/learned.ts"
import { cutToCodePoints, textSchema } from "../kernel/text-schema.ts"
import { executing, unbound } from "./definition.ts"
import { execInShell, type FamilyRules } from "./exec.ts"
import { type ExecResult, execReductions, type FreeExec, freeExecSchema } from "./exec-schema.ts"
import { exitedError } from "./exited.ts"
import { execErrorFacts, execEvidence, execExit, execFacts } from "./facts.ts"
import { budgetOf, commandFields, commandText, stdinText } from "./fields.ts"
import { findFree, localRunner } from "./find.ts"
import { requireInsideFence } from "./shell-fence.ts"

const MAX_COMMAND_BYTES = 1_048_576
const MAX_TIMEOUT_SECS = 3600
const MAX_SHOWN_CHARS = 2000
const TIMEOUT_EXIT_CODE = 124

/** `session_exec` (spec shells.md §10). */
export const sessionExec = defineTool({
  ...executing,
  name: "session_exec",
  title: "Run in a free shell",
  description:
    "Runs one command in a free shell and answers with its output; one that outlives the call goes on as a Job.",
  input: z.strictObject({
    session_id: textSchema(1, 200).describe("From session_create."),
    command: textSchema(0, MAX_COMMAND_BYTES).describe("Shell text."),
    timeout_secs: z.int().min(0).max(1_000_000).describe("Seconds until it is ended, 1..3600.").optional(),
    when_busy: z.enum(["wait", "fail", "detach"]).describe("Default wait.").optional(),
    ...commandFields,
    trim: z.boolean().describe("Take trailing newlines off; default true.").optional(),
    env: environmentSchema.describe("For this command.").optional(),
  }),
  output: freeExecSchema,
  target: unbound,
  foreign: ["session_id"],
  inherits: [],
  resource: "ignores",
  surfaces: ["shell"],
  record: {
    input: ({ session_id, timeout_secs, budget, stdin, when_busy }) => ({
      persistent_shell: "exec",
      shell_id: session_id,
      ...(timeout_secs === undefined ? {} : { timeout_secs }),
      budget_present: budget !== undefined,
      stdin_present: stdin !== undefined,
      when_busy: when_busy ?? "wait",
    }),
    output: (output) => ({ ...execFacts(output), shell_id: output.session_id }),
    error: execErrorFacts,
    evidence: execEvidence,
    jobId: ({ job_id }) => job_id,
    exit: execExit,
  },
  reduce: [...execReductions, { at: "command", kind: "text", min: 100 }],
  verbatim: ["session_id", "job_id", "observation_token"],
  async handler(input, call) {
    const shell = await call.ports.store.readOnce((tx) => findFree(tx, call, input.session_id))
    const text = commandText(input.command, MAX_COMMAND_BYTES)
    requireInsideFence(call, shell, text)
    const { timeout_secs = call.ports.shells.settings.execTimeoutSecs } = input
    return execInShell(call, {
      runner: localRunner(call),
      shell,
      request: {
        text,
        ...(input.stdin === undefined ? {} : { stdin: stdinText(input.stdin) }),
        streams: input.streams ?? "split",
        tty: input.tty ?? false,
        env: checkedEnvironment(input.env ?? []),
        resetCwd: false,
        timeoutMs: Math.min(MAX_TIMEOUT_SECS, Math.max(1, timeout_secs)) * 1000,
        whenBusy: input.when_busy ?? "wait",
        budget: budgetOf(shell, input.budget),
        ...(input.sync_wait_secs === undefined ? {} : { syncWaitMs: input.sync_wait_secs * 1000 }),
      },
      rules: freeRules({ shellId: shell.shellId, command: shownCommand(call, text), trim: input.trim ?? true }),
    })
  },
  recover: recoverStart,
  async recall({ session_id, command }, found) {
    const job = await recalledJob(found.ports, found)
    if (job === undefined) return undefined
    const { clock } = found.ports
    const exec = withTimeoutExit(recalledExec(job, clock.now()))
    const output: FreeExec = { session_id, command: shownCommand(found, command), ...exec }
    const failure = freeFailure(job, output)
    if (failure !== undefined) throw failure
    return output
  },
})

interface Shown {
  readonly shellId: string
  readonly command: string
  readonly trim: boolean
}

function freeRules({ shellId, command, trim }: Shown): FamilyRules<FreeExec> {
  const view = (text: string): string => (trim ? text.replace(/\n+$/, "") : text)
  return {
    checkClaim: async () => undefined,
    checkWaited: async () => undefined,
    answer: async (result, job, facts) => {
      const output: FreeExec = {
        session_id: shellId,
        command,
        ...withTimeoutExit(result),
        stdout: view(result.stdout),
        stderr: view(result.stderr),
      }
      const exited = facts.shell?.shellExited === true
      return { output, failure: exited ? exitedError(job, output) : freeFailure(job, output) }
    },
  }
}

/** The form that callers of `session_exec` know a timeout by (spec exec-and-jobs.md §4). */
function withTimeoutExit(result: ExecResult): ExecResult {
  return result.timed_out ? { ...result, exit_code: TIMEOUT_EXIT_CODE } : result
}

/** Neither an exit code nor a timeout is a failure of this tool (spec shells.md §14). */
function freeFailure(job: Job, output: FreeExec): ToolError | undefined {
  const kind = job.outcome?.kind
  return kind === "exited" || kind === "signaled" || kind === "timed_out" ? undefined : failureOf(job, output)
}

/** The command as its caller may see it again: redacted, ≤ 2,000 characters. */
function shownCommand({ ports }: { readonly ports: Pick<CallPorts, "secrets"> }, text: string): string {
  const redacted = ports.secrets.redactor().with(learnedLiterals(text)).redactText(text).text
  const shown = cutToCodePoints(redacted, MAX_SHOWN_CHARS)
  return shown === redacted ? shown : `${shown}…`
}
