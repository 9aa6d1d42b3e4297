import { BORN_NAMES, isKeptName } from "./names.ts"
import type { ByteText, Snapshot, SnapshotVariable } from "./types.ts"

/** Assigning it switches `posix` on, which comes last. */
const POSIX_NAME = "POSIXLY_CORRECT"

/**
 * Statements that give a new process the variables of a snapshot: what it was born with and the user had unset goes, then
 * come the values.
 */
export function variableStatements(snapshot: Snapshot, environment: readonly string[]): readonly ByteText[] {
  const present = new Set([...snapshot.variables.map(({ name }) => name), ...snapshot.leftOut])
  const gone = [...new Set([...environment, ...BORN_NAMES])].filter((name) => !present.has(name) && isKeptName(name))
  const unset = snapshot.dialect === "bash" ? "\\builtin unset -v" : "\\command unset -v"
  const exported = new Set(environment)
  return [
    ...(gone.length === 0 ? [] : [`${unset} ${gone.join(" ")}`]),
    ...snapshot.variables
      .filter(({ name }) => name !== POSIX_NAME)
      .flatMap((variable) => statementsFor(variable, snapshot, exported)),
  ]
}

/** The one variable that has to wait for everything else. */
export const posixStatements = (snapshot: Snapshot): readonly ByteText[] =>
  snapshot.variables.filter(({ name }) => name === POSIX_NAME).flatMap((one) => statementsFor(one, snapshot, new Set()))

function statementsFor(
  variable: SnapshotVariable,
  { dialect }: Snapshot,
  exported: ReadonlySet<string>,
): readonly ByteText[] {
  const unexport = exported.has(variable.name) && !variable.attributes.includes("x")
  return dialect === "bash" ? bashStatements(variable, unexport) : shStatements(variable, unexport)
}

/** Attributes that change or check what is assigned: they are set when the value is there. */
const LATE = /[^aAxt]/g

function bashStatements({ name, attributes, assignment }: SnapshotVariable, unexport: boolean): readonly ByteText[] {
  // Plain, for only so does bash parse `name=(…)`; no function or alias stands in its way yet.
  const declare = (letters: string, words: ByteText): ByteText => `declare -${letters || "-"} ${words}`
  // Any further statement on a name reference would reach what it refers to.
  if (attributes.includes("n")) return [declare(attributes, assignment)]
  const late = attributes.match(LATE)?.join("") ?? ""
  return [
    declare(attributes.replace(LATE, ""), assignment),
    ...(unexport ? [`declare +x ${name}`] : []),
    ...(late === "" ? [] : [declare(late, name)]),
  ]
}

function shStatements({ name, attributes, assignment }: SnapshotVariable, unexport: boolean): readonly ByteText[] {
  const assign = attributes.includes("x") ? `\\command export ${assignment}` : assignment
  return [
    ...(unexport ? [`\\command unset -v ${name}`] : []),
    ...(assign === name ? [] : [assign]),
    ...(attributes.includes("r") ? [`\\command readonly ${name}`] : []),
  ]
}
