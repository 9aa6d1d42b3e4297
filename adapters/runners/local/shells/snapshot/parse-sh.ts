import { statementsOf } from "./quoting.ts"
import type { ByteText, SnapshotVariable } from "./types.ts"

const ASSIGNMENT = /^(?:export |readonly |declare -\S+ )?([A-Za-z_][A-Za-z0-9_]*)(?:=([\s\S]*))?$/

/** What `set` printed, with the marks that `export -p` and `readonly -p` printed. */
export function parseShVariables(printed: {
  readonly all: ByteText
  readonly exported: ByteText
  readonly readonly: ByteText
}): readonly SnapshotVariable[] {
  const exported = assignmentsOf(printed.exported)
  const fixed = assignmentsOf(printed.readonly)
  // One that is exported or readonly without a value stands only there.
  const all = new Map([...exported, ...fixed, ...assignmentsOf(printed.all)])
  return [...all].map(([name, value]) => {
    const attributes = `${exported.has(name) ? "x" : ""}${fixed.has(name) ? "r" : ""}`
    return { name, attributes, assignment: value === undefined ? name : `${name}=${value}` }
  })
}

function assignmentsOf(text: ByteText): ReadonlyMap<string, ByteText | undefined> {
  return new Map(
    statementsOf(text).flatMap((statement) => {
      const [, name, value] = ASSIGNMENT.exec(statement) ?? []
      return name === undefined ? [] : [[name, value] as const]
    }),
  )
}
