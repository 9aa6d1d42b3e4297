import { TOOL_FACTS } from "./generated/tool-facts.ts"
import type { CallOptions, ToolMethods } from "./types.ts"

/** Calls a tool by its wire name and gives its output. */
export type Invoke = (name: string, input: object, options: CallOptions | undefined) => Promise<object>

/**
 * One method a tool, made at first use and then the same function. `then`, `toJSON` and symbols are undefined, so a client
 * can be awaited, logged and spread (spec doors.md §5.2).
 */
export function createToolMethods(invoke: Invoke): ToolMethods {
  const methods = new Map<string, (input?: object, options?: CallOptions) => Promise<object>>()
  return new Proxy<ToolMethods>(Object.create(null), {
    get(_target, name) {
      if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined
      const method = methods.get(name) ?? ((input: object = {}, options?: CallOptions) => invoke(name, input, options))
      methods.set(name, method)
      return method
    },
    has: (_target, name) => typeof name === "string" && Object.hasOwn(TOOL_FACTS, name),
  })
}
