import type { AnyToolDefinition } from "../definition.ts"

/** A handler's value as its definition declares it; results are sent as parsed, so nothing undeclared leaves. @throws on a breach. */
export function parseOutput({ output }: AnyToolDefinition, value: unknown): object {
  return output.parse(value)
}
