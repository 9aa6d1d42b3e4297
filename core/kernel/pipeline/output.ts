import type { AnyToolDefinition } from "../definition.ts"

/** A tool's output after its schema's parse. */
export type ParsedOutput = Record<string, unknown>

/** A handler's value as its definition declares it; results are sent as parsed, so nothing undeclared leaves. @throws on a breach. */
export function parseOutput({ output }: AnyToolDefinition, value: unknown): ParsedOutput {
  return output.parse(value)
}
