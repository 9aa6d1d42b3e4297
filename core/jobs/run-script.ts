import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { SCRIPT_LANGUAGES } from "./command.ts"
import { checkedText } from "./environment.ts"
import { execute } from "./execute.ts"
import { checkedDeclaration, expectationFields } from "./expectation.ts"
import { judgedRecord, startDefinition, startFacts } from "./start-definition.ts"
import {
  argumentsField,
  checkedArguments,
  commonFields,
  commonOf,
  syncWaitField,
  syncWaitOf,
  targetFields,
  timeoutField,
} from "./start-fields.ts"

const DEFAULT_TIMEOUT_SECS = 300
const MAX_SCRIPT_BYTES = 524_288

/** `run_script` (spec exec-and-jobs.md §2). */
export const runScript = defineTool({
  ...startDefinition,
  name: "run_script",
  title: "Run a script",
  description: "Runs a script; it may go on as a Job.",
  input: z.strictObject({
    ...targetFields,
    language: z.enum(SCRIPT_LANGUAGES).describe("Interpreter."),
    script: textSchema(1, MAX_SCRIPT_BYTES).describe("Its text."),
    args: argumentsField,
    ...commonFields,
    ...expectationFields,
    timeout_secs: timeoutField(3600, DEFAULT_TIMEOUT_SECS),
    sync_wait_secs: syncWaitField,
  }),
  expectation: ["result_expectation", "assertion_name"],
  idempotency: "none",
  risk: "shell",
  scopes: ["job:run"],
  inherits: ["cwd"],
  resource: "rejects",
  rawShell: true,
  surfaces: [],
  record: {
    ...judgedRecord,
    input: (input) => ({ ...startFacts(input), language: input.language, args_count: input.args.length }),
  },
  handler(input, call) {
    checkedArguments(input.args)
    return execute(call, {
      ...commonOf(input, DEFAULT_TIMEOUT_SECS),
      ...checkedDeclaration(call, input),
      ...syncWaitOf(input),
      kind: "script",
      command: {
        kind: "script",
        language: input.language,
        text: checkedText("script", input.script, MAX_SCRIPT_BYTES),
        args: input.args,
      },
    })
  },
})
