import type { Dialect } from "../../../../../core/shells/record.ts"
import { isKeptName, isPolicyName } from "./names.ts"
import { lostName, parseAliases, parseDeclarations, parseFunctions, parseLimits, parseOptions } from "./parse-bash.ts"
import { parseShVariables } from "./parse-sh.ts"
import { asBytes, unquoted } from "./quoting.ts"
import type { RecordFrame } from "./record-frames.ts"
import type { ByteText, Snapshot, SnapshotVariable } from "./types.ts"

/** What reading a record depends on beside its bytes. */
export interface SnapshotContext {
  readonly kind: Snapshot["kind"]
  readonly dialect: Dialect
  /** Values that must not be kept. */
  readonly secrets: readonly string[]
  /** The newest snapshot before this one: what a function's locals hid at the end of the shell is taken from it. */
  readonly before: Snapshot | undefined
}

type Sections = (name: string) => ByteText

/** The state that a record tells, without secrets. */
export function snapshotOf(frame: RecordFrame, context: SnapshotContext): Snapshot {
  const section: Sections = (name) => frame.sections.get(name) ?? ""
  const holdsSecret = secretTest(context.secrets)
  const declared = context.dialect === "bash" ? parseDeclarations(section("variables")) : shVariables(section)
  const hidden = new Set(parseDeclarations(section("locals")).map(({ name }) => name))
  const variables = [
    ...declared.filter(({ name }) => isKeptName(name) && !hidden.has(name)),
    ...(context.before?.variables ?? []).filter(({ name }) => hidden.has(name)),
  ]
  const isLeftOut = ({ name, assignment }: SnapshotVariable): boolean => isPolicyName(name) || holdsSecret(assignment)
  const functions = parseFunctions(section("functions"), section("marks"))
  const isUnkeptFunction = ({ text }: { readonly text: ByteText }): boolean => text === "" || holdsSecret(text)
  const aliases = parseAliases(section("aliases"))
  const { options, shopts, umask } = parseOptions(section("options"))
  return {
    kind: context.kind,
    dialect: context.dialect,
    options: { ...options, errexit: hasErrexit(frame) },
    shopts,
    umask,
    limits: parseLimits(section("limits")),
    variables: variables.filter((one) => !isLeftOut(one)),
    functions: functions.filter((one) => !isUnkeptFunction(one)),
    aliases: aliases.filter((one) => !holdsSecret(one)),
    leftOut: variables.filter(isLeftOut).map(({ name }) => name),
    unkept: [
      // Nothing lists the functions of a plain sh.
      ...(context.dialect === "sh" ? ["functions"] : []),
      ...functions.filter(isUnkeptFunction).map(({ name }) => lostName("function", name)),
      ...aliases.filter(holdsSecret).map((one) => lostName("alias", one.split("=")[0] ?? "")),
    ],
    ...placeOf(section("cwd"), declared),
  }
}

/** `e` in `$-` at that moment; what `set` says while a record is written can differ. */
export const hasErrexit = ({ sections }: RecordFrame): boolean => /^[a-zA-Z]*e/m.test(sections.get("flags") ?? "")

const shVariables = (section: Sections): readonly SnapshotVariable[] =>
  parseShVariables({ all: section("variables"), exported: section("exported"), readonly: section("readonly") })

/** Whether quoted text holds one of the values, as it stands or as it is meant. */
function secretTest(values: readonly string[]): (text: ByteText) => boolean {
  const secrets = values.filter((value) => value !== "").map(asBytes)
  if (secrets.length === 0) return () => false
  return (text) => {
    const plain = unquoted(text)
    return secrets.some((secret) => text.includes(secret) || plain.includes(secret))
  }
}

function placeOf(written: ByteText, declared: readonly SnapshotVariable[]): Pick<Snapshot, "cwd" | "logicalCwd"> {
  const cwd = written.replace(/\n$/, "")
  if (!cwd.startsWith("/")) return {}
  const said = unquoted(declared.find(({ name }) => name === "PWD")?.assignment ?? "").slice("PWD=".length)
  return { cwd, ...(said.startsWith("/") && said !== cwd ? { logicalCwd: said } : {}) }
}
