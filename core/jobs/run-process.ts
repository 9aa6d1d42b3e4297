import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { execute } from "./execute.ts"
import { acceptedExitCodesField, checkedDeclaration, expectationFields } from "./expectation.ts"
import { refuseShellArgv } from "./shell-argv.ts"
import { judgedRecord, startDefinition, startFacts } from "./start-definition.ts"
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
  description: "Runs one program, no shell; it may go on as a Job.",
  input: z.strictObject({
    ...targetFields,
    ...programFields,
    ...commonFields,
    ...expectationFields,
    accepted_exit_codes: acceptedExitCodesField,
    timeout_secs: timeoutField(3600, DEFAULT_TIMEOUT_SECS),
    sync_wait_secs: syncWaitField,
  }),
  expectation: ["result_expectation", "accepted_exit_codes", "assertion_name"],
  idempotency: "none",
  risk: "shell",
  scopes: ["job:run"],
  inherits: ["cwd"],
  resource: "rejects",
  surfaces: ["coding"],
  record: { ...judgedRecord, input: (input) => ({ ...startFacts(input), args_count: input.args.length }) },
  handler(input, call) {
    refuseShellArgv(input.executable, input.args)
    return execute(call, {
      ...commonOf(input, DEFAULT_TIMEOUT_SECS),
      ...syncWaitOf(input),
      ...checkedDeclaration(call, input),
      kind: "process",
      command: programCommand(input),
    })
  },
})
