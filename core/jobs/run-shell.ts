import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { execute } from "./execute.ts"
import { checkedDeclaration, expectationFields } from "./expectation.ts"
import { judgedRecord, startDefinition, startFacts } from "./start-definition.ts"
import {
  commonFields,
  commonOf,
  resourceField,
  shellCommand,
  shellFields,
  syncWaitField,
  syncWaitOf,
  targetFields,
  timeoutField,
} from "./start-fields.ts"

const DEFAULT_TIMEOUT_SECS = 300

/** `run_shell` (spec exec-and-jobs.md §2). */
export const runShell = defineTool({
  ...startDefinition,
  name: "run_shell",
  title: "Run a shell command",
  description: "Runs a shell command; one that outlives the call goes on as a Job.",
  input: z.strictObject({
    ...targetFields,
    ...shellFields,
    ...commonFields,
    ...expectationFields,
    timeout_secs: timeoutField(3600, DEFAULT_TIMEOUT_SECS),
    sync_wait_secs: syncWaitField,
    resource: resourceField,
  }),
  expectation: ["result_expectation", "assertion_name"],
  idempotency: "none",
  risk: "shell",
  scopes: ["job:run"],
  inherits: ["cwd", "shell", "resource"],
  resource: "routes",
  rawShell: true,
  surfaces: ["coding"],
  record: {
    ...judgedRecord,
    input: (input) => ({
      ...startFacts(input),
      ...(input.resource === undefined ? {} : { resource: input.resource }),
    }),
  },
  handler: (input, call) =>
    execute(call, {
      ...commonOf(input, DEFAULT_TIMEOUT_SECS),
      ...checkedDeclaration(call, input),
      ...syncWaitOf(input),
      kind: "shell",
      command: shellCommand(input),
      ...(input.resource === undefined ? {} : { resource: input.resource }),
    }),
})
