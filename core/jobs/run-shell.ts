import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { checkedEnvironment, checkedText, environmentSchema } from "./environment.ts"
import { execute } from "./execute.ts"
import { compileBudget } from "./output/budget.ts"
import { budgetInput } from "./output/budget-input.ts"
import { startOutputSchema } from "./output-schema.ts"
import { recoverStart } from "./recovery.ts"
import { errorEvidence, errorFacts, outputEvidence, outputFacts } from "./start-record.ts"

const DEFAULT_TIMEOUT_SECS = 300
const MAX_COMMAND_BYTES = 16_000
const MAX_STDIN_BYTES = 65_536
const MAX_PATH_BYTES = 4096

/** `run_shell` (spec exec-and-jobs.md §2). */
export const runShell = defineTool({
  name: "run_shell",
  title: "Run a shell command",
  description: "Runs a shell command; one that outlives the call goes on as a Job.",
  category: "exec",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Slug."),
    session_id: sessionIdSchema.describe("Its defaults hold.").optional(),
    command: textSchema(1, MAX_COMMAND_BYTES).describe("Shell text."),
    cwd: textSchema(1, MAX_PATH_BYTES).describe("Default: root.").optional(),
    shell: z.enum(["sh", "bash"]).describe("Default bash.").optional(),
    env: environmentSchema.describe("Added.").optional(),
    stdin: textSchema(0, MAX_STDIN_BYTES).describe("Its input.").optional(),
    timeout_secs: z.int().min(1).max(3600).default(DEFAULT_TIMEOUT_SECS).describe("Process life."),
    sync_wait_secs: z.int().min(0).max(600).describe("Longest wait.").optional(),
    budget: budgetInput.optional(),
    background: z.enum(["end", "keep"]).default("end").describe("Left processes."),
    purpose: z
      .enum(["validation", "test", "build", "format", "release", "diagnostic", "operation", "other"])
      .describe("Evidence only.")
      .optional(),
    resource: textSchema(1, 80).describe("Named resource.").optional(),
  }),
  output: startOutputSchema,
  effect: "execute",
  destructive: false,
  openWorld: true,
  idempotency: "none",
  risk: "shell",
  scopes: ["job:run"],
  target: { project: "required", session: "optional", chat: "optional" },
  inherits: ["cwd", "shell", "resource"],
  resource: "routes",
  rawShell: true,
  expectation: [],
  activity: "execute",
  deadline: "handover",
  surfaces: ["coding"],
  record: {
    input: (input) => ({
      timeout_secs: input.timeout_secs,
      background: input.background,
      budget_present: input.budget !== undefined,
      stdin_present: input.stdin !== undefined,
      env_count: input.env?.length ?? 0,
      ...(input.purpose === undefined ? {} : { purpose: input.purpose }),
      ...(input.resource === undefined ? {} : { resource: input.resource }),
    }),
    output: outputFacts,
    error: errorFacts,
    evidence: (result) => ("output" in result ? outputEvidence(result.output) : errorEvidence(result.error)),
    jobId: (output) => output.job_id,
    // A command that never started stands beside its error without an exit.
    exit: ({ exit_code, signal }) =>
      exit_code === undefined ? undefined : { exit_code, ...(signal === undefined ? {} : { signal }) },
  },
  reduce: [
    { at: "stdout", kind: "text", min: 300 },
    { at: "stderr", kind: "text", min: 300 },
    { at: "background", kind: "list", min: 0 },
    { at: "ended_background", kind: "list", min: 0 },
    { at: "survivors", kind: "list", min: 0 },
    { at: "outcome.then.survivors", kind: "list", min: 0 },
    { at: "cwd", kind: "text", min: 200 },
  ],
  verbatim: ["job_id", "observation_token"],
  handler(input, call) {
    return execute(call, {
      kind: "shell",
      command: {
        kind: "shell",
        text: checkedText("command", input.command, MAX_COMMAND_BYTES),
        ...(input.shell === undefined ? {} : { shell: input.shell }),
      },
      cwd: checkedText("cwd", input.cwd ?? ".", MAX_PATH_BYTES),
      env: checkedEnvironment(input.env ?? []),
      ...(input.stdin === undefined ? {} : { stdin: checkedText("stdin", input.stdin, MAX_STDIN_BYTES) }),
      timeoutMs: input.timeout_secs * 1000,
      defaultTimeoutMs: DEFAULT_TIMEOUT_SECS * 1000,
      ...(input.sync_wait_secs === undefined ? {} : { syncWaitMs: input.sync_wait_secs * 1000 }),
      background: input.background,
      ...(input.budget === undefined ? {} : { budget: compileBudget(input.budget) }),
      ...(input.purpose === undefined ? {} : { purpose: input.purpose }),
    })
  },
  recover: recoverStart,
})
