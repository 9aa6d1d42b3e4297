import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { execute } from "./execute.ts"
import { checkedDeclaration, expectationFields } from "./expectation.ts"
import { jobKey, keyField } from "./job-key.ts"
import { judgedRecord, startDefinition, startFacts } from "./start-definition.ts"
import {
  commonFields,
  commonOf,
  resourceField,
  shellCommand,
  shellFields,
  targetFields,
  timeoutField,
} from "./start-fields.ts"

const MAX_TIMEOUT_SECS = 604_800
const DEFAULT_TIMEOUT_SECS = 3600
const LOOK_MS = 200

/** `run_job` (spec exec-and-jobs.md §2). */
export const runJob = defineTool({
  ...startDefinition,
  name: "run_job",
  title: "Start a Job",
  description: "Starts a shell command as a Job and returns at once; observe_jobs and job_log follow it.",
  input: z.strictObject({
    ...targetFields,
    ...shellFields,
    ...commonFields,
    ...expectationFields,
    timeout_secs: timeoutField(MAX_TIMEOUT_SECS, DEFAULT_TIMEOUT_SECS),
    idempotency_key: keyField.optional(),
    resource: resourceField,
  }),
  expectation: ["result_expectation", "assertion_name"],
  idempotency: { key: "idempotency_key" },
  risk: "job",
  scopes: ["job:run"],
  inherits: ["cwd", "shell", "resource"],
  resource: "routes",
  rawShell: true,
  surfaces: ["coding"],
  record: {
    ...judgedRecord,
    input: (input) => ({
      ...startFacts(input),
      key_present: input.idempotency_key !== undefined,
      ...(input.resource === undefined ? {} : { resource: input.resource }),
    }),
  },
  async handler(input, call) {
    return await execute(call, {
      ...commonOf(input, DEFAULT_TIMEOUT_SECS),
      ...checkedDeclaration(call, input),
      kind: "job",
      command: shellCommand(input),
      ...(input.resource === undefined ? {} : { resource: input.resource }),
      lookMs: LOOK_MS,
      ...(await jobKey(call, input)),
    })
  },
})
