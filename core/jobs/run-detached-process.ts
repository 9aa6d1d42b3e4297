import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { execute } from "./execute.ts"
import { jobKey, keyField } from "./job-key.ts"
import { refuseShellArgv } from "./shell-argv.ts"
import { startDefinition, startFacts, startRecord } from "./start-definition.ts"
import { commonFields, commonOf, programCommand, programFields, targetFields, timeoutField } from "./start-fields.ts"

const MAX_TIMEOUT_SECS = 604_800
const DEFAULT_TIMEOUT_SECS = 86_400

/** `run_detached_process` (spec exec-and-jobs.md §6.3). */
export const runDetachedProcess = defineTool({
  ...startDefinition,
  name: "run_detached_process",
  title: "Start a detached program",
  description:
    "Starts one program with literal arguments under a supervisor of its own, which outlives server and Runner; answers when it runs.",
  input: z.strictObject({
    ...targetFields,
    ...programFields,
    idempotency_key: keyField,
    ...commonFields,
    timeout_secs: timeoutField(MAX_TIMEOUT_SECS, DEFAULT_TIMEOUT_SECS),
  }),
  idempotency: { key: "idempotency_key" },
  risk: "job",
  scopes: ["job:run", "job:detach"],
  inherits: ["cwd"],
  resource: "rejects",
  surfaces: [],
  record: { ...startRecord, input: (input) => ({ ...startFacts(input), args_count: input.args.length }) },
  async handler(input, call) {
    refuseShellArgv(input.executable, input.args)
    return await execute(call, {
      ...commonOf(input, DEFAULT_TIMEOUT_SECS),
      kind: "detached",
      command: programCommand(input),
      lookMs: 0,
      ...(await jobKey(call, input)),
    })
  },
})
