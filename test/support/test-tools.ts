import { z } from "zod"
import { type AnyToolDefinition, defineTool } from "../../core/kernel/definition.ts"
import { sessionIdSchema } from "../../core/kernel/ids.ts"
import { textSchema } from "../../core/kernel/text-schema.ts"
import { TEST_TOOL_DEFAULTS } from "./test-tool.ts"

/** Switches of the tools `T`, and what they have done. */
export interface TestTools {
  readonly definitions: readonly AnyToolDefinition[]
  /** How often each tool's handler was entered. */
  entered(tool: string): number
}

const WAIT_MS = z.int().min(0).max(60_000).default(0).describe("Milliseconds to wait.")
const session = {
  project: textSchema(1, 64).optional().describe("Project."),
  session_id: sessionIdSchema.optional().describe("Session."),
}
const runOutput = z.object({
  count: z.int().min(0),
  cwd: textSchema(0, 200),
  shell: textSchema(0, 8),
  ended: z.enum(["done", "handed_over"]),
})
type RunOutput = z.output<typeof runOutput>
const anywhere = { project: "optional", session: "optional", chat: "none" } as const

/** The tools `T` of kernel.md §17: each one shows one way in which a handler can behave. */
export function createTestTools(): TestTools {
  const counts = new Map<string, number>()
  const enter = (tool: string): number => {
    const count = (counts.get(tool) ?? 0) + 1
    counts.set(tool, count)
    return count
  }

  const echo = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name: "t_echo",
    deadline: "short",
    input: z.strictObject({ text: textSchema(0, 1000).describe("Text.") }),
    output: z.object({ text: textSchema(0, 1000) }),
    reduce: [{ at: "text", kind: "text", min: 100 }],
    async handler({ text }) {
      enter("t_echo")
      return { text }
    },
  })

  const big = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name: "t_big",
    input: z.strictObject({
      unit: textSchema(1, 40).describe("Text to repeat."),
      times: z.int().min(1).max(200_000).describe("How often."),
    }),
    output: z.object({ text: z.string() }),
    reduce: [{ at: "text", kind: "text", min: 100 }],
    async handler({ unit, times }) {
      enter("t_big")
      return { text: unit.repeat(times) }
    },
  })

  const wait = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name: "t_wait",
    target: anywhere,
    input: z.strictObject({ ...session, ms: WAIT_MS }),
    output: z.object({ waited: z.boolean() }),
    async handler({ ms }, call) {
      enter("t_wait")
      await call.ports.clock.sleep(ms, call.signal)
      return { waited: true }
    },
  })

  const change = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name: "t_change",
    effect: "mutate",
    mutates: "workspace",
    risk: "write",
    activity: "edit",
    target: anywhere,
    scopes: ["project:write"],
    input: z.strictObject({ ...session, ms: WAIT_MS, text: textSchema(0, 200).optional().describe("Text.") }),
    output: z.object({ changed: z.boolean(), count: z.int().min(0) }),
    record: {
      input: ({ ms }) => ({ ms }),
      output: ({ changed }) => ({ changed }),
      evidence: (result) => ("output" in result ? { state_changed: result.output.changed } : {}),
    },
    async handler({ ms }, call) {
      const count = enter("t_change")
      await call.ports.clock.sleep(ms, call.signal)
      return { changed: true, count }
    },
  })

  const commit = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name: "t_commit",
    effect: "mutate",
    mutates: "session",
    target: anywhere,
    scopes: ["session:collaborate"],
    input: z.strictObject({
      ...session,
      ms: WAIT_MS,
      after: z.enum(["return", "throw", "refuse"]).default("return").describe("What follows the commit."),
    }),
    output: z.object({ count: z.int().min(0) }),
    record: { output: ({ count }) => ({ count }) },
    async handler({ ms, after }, call) {
      const count = enter("t_commit")
      await call.ports.clock.sleep(ms, call.signal)
      const output = await call.commit(async () => ({ count }))
      if (after === "throw") throw new Error("after the commit")
      return output
    },
  })

  const fail = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name: "t_fail",
    effect: "mutate",
    mutates: "session",
    target: anywhere,
    scopes: ["session:collaborate"],
    input: z.strictObject({ ...session }),
    output: z.object({ ok: z.boolean() }),
    async handler() {
      enter("t_fail")
      throw new Error("secret /home/x")
    },
  })

  const run = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name: "t_run",
    effect: "execute",
    risk: "shell",
    activity: "execute",
    deadline: "handover",
    target: anywhere,
    scopes: ["job:run"],
    inherits: ["cwd", "shell", "resource"],
    resource: "routes",
    input: z.strictObject({
      ...session,
      ms: WAIT_MS,
      cwd: textSchema(1, 200).optional().describe("Folder."),
      shell: z.enum(["sh", "bash"]).optional().describe("Shell."),
      resource: textSchema(1, 80).optional().describe("Resource."),
    }),
    output: runOutput,
    async handler({ ms, cwd = "", shell = "" }, call): Promise<RunOutput> {
      const count = enter("t_run")
      const lead = call.deadline.handoverAt - call.ports.clock.monotonic()
      if (ms > lead) {
        await call.ports.clock.sleep(Math.max(0, lead), call.signal)
        return { count, cwd, shell, ended: "handed_over" }
      }
      await call.ports.clock.sleep(ms, call.signal)
      return { count, cwd, shell, ended: "done" }
    },
  })

  return {
    definitions: [echo, big, wait, change, commit, fail, run],
    entered: (tool) => counts.get(tool) ?? 0,
  }
}
