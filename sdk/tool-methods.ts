import type { CallOptions } from "./types.ts"

/** Calls a tool by its wire name and gives its output. */
export type Invoke = (name: string, input: object, options: CallOptions | undefined) => Promise<object>

/** A tool's name; a language or a logger asks two of that form of any object, which no tool has. */
const TOOL_NAME = /^(?!then$|constructor$)[a-z][a-z0-9_]{0,62}$/

/**
 * One method a tool, made at first use and then the same function. Symbols and what is no tool's name (`then`, `toJSON`) are
 * undefined, so a client can be awaited, logged and spread (spec doors.md §5.2).
 */
export function createToolMethods<Methods extends object>(invoke: Invoke): Methods {
  const methods = new Map<string, (input?: object, options?: CallOptions) => Promise<object>>()
  return new Proxy<Methods>(Object.create(null), {
    get(_target, name) {
      if (typeof name !== "string" || !TOOL_NAME.test(name)) return undefined
      const method = methods.get(name) ?? ((input: object = {}, options?: CallOptions) => invoke(name, input, options))
      methods.set(name, method)
      return method
    },
  })
}
