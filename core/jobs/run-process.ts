import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { execute } from "./execute.ts"
import { refuseShellArgv } from "./shell-argv.ts"
import { startDefinition, startFacts, startRecord } from "./start-definition.ts"
import {
  commonFields,
  commonOf,
  programCommand,
  programFields,
  syncWaitField,
  syncWaitOf,
  targetFields,
  timeoutField,
} from "./start-fields.ts"

const DEFAULT_TIMEOUT_SECS = 300

/** `run_process` (spec exec-and-jobs.md §2). */
export const runProcess = defineTool({
  ...startDefinition,
  name: "run_process",
  title: "Run a program",
  description:
    "Runs one program with literal arguments, without a shell; one that outlives the call goes on as a Job. Shells with -c are refused: run_shell runs their text.",
  input: z.strictObject({
    ...targetFields,
    ...programFields,
    ...commonFields,
    timeout_secs: timeoutField(3600, DEFAULT_TIMEOUT_SECS),
    sync_wait_secs: syncWaitField,
  }),
  idempotency: "none",
  risk: "shell",
  scopes: ["job:run"],
  inherits: ["cwd"],
  resource: "rejects",
  surfaces: ["coding"],
  record: { ...startRecord, input: (input) => ({ ...startFacts(input), args_count: input.args.length }) },
  handler(input, call) {
    refuseShellArgv(input.executable, input.args)
    return execute(call, {
      ...commonOf(input, DEFAULT_TIMEOUT_SECS),
      ...syncWaitOf(input),
      kind: "process",
      command: programCommand(input),
    })
  },
})
