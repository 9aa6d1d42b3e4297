import { type JsonSchema, propertiesOf, requiredOf } from "../kernel/views/json-schema.ts"

/** Most characters of an argument line (spec kernel.md §8). */
export const MAX_ARGS_CHARS = 240

/** The arguments of a tool in one line: `a, b?`; an optional one has a `?`, what does not fit is `…`. */
export function argumentLine(input: JsonSchema): string {
  const required = new Set(requiredOf(input))
  let line = ""
  for (const name of Object.keys(propertiesOf(input))) {
    const next = `${line === "" ? "" : `${line}, `}${name}${required.has(name) ? "" : "?"}`
    if (next.length > MAX_ARGS_CHARS - 3) return `${line}, …`
    line = next
  }
  return line
}
