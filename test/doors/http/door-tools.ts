import { z } from "zod"
import type { AnyToolDefinition } from "../../../core/kernel/definition.ts"
import { textSchema } from "../../../core/kernel/text-schema.ts"
import { testTool } from "../../support/test-tool.ts"

/** What the tools of a door under test did. */
export interface ToolTrace {
  /** Names of the handlers that were entered, in order. */
  readonly entered: string[]
  /** Why the signal of a `hold` call aborted, in order. */
  readonly aborted: unknown[]
  /** `hold` calls that ran to their end. */
  readonly finished: string[]
}

const label = textSchema(1, 40)

/** Tools that let a test see from outside what a door did to a call. */
export function doorTools(trace: ToolTrace): readonly AnyToolDefinition[] {
  const hold = (name: string, changes: Partial<AnyToolDefinition>) =>
    testTool({
      name,
      idempotency: "none",
      input: z.strictObject({
        ms: z.int().min(0).max(60_000).describe("How long to hold, ms."),
        command: label.describe("What to call it."),
      }),
      output: z.object({ command: label, ended: z.enum(["waited", "aborted"]) }),
      async handler(input, call) {
        const { ms, command } = z.object({ ms: z.number(), command: z.string() }).parse(input)
        trace.entered.push(name)
        const ended = await new Promise<"waited" | "aborted">((resolve) => {
          const timer = setTimeout(() => resolve("waited"), ms)
          call.signal.addEventListener("abort", () => {
            trace.aborted.push(call.signal.reason)
            if (call.signal.reason === "client_gone") return
            clearTimeout(timer)
            resolve("aborted")
          })
        })
        trace.finished.push(command)
        return { command, ended }
      },
      ...changes,
    })
  return [
    hold("hold_run", {
      effect: "execute",
      destructive: true,
      openWorld: true,
      risk: "shell",
      scopes: ["job:run"],
      activity: "execute",
      deadline: "handover",
    }),
    hold("hold_wait", { effect: "observe", idempotency: "natural" }),
  ]
}
