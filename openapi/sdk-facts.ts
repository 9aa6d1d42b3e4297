import { errorKinds, gateKinds } from "../core/kernel/error-kinds.ts"
import type { Registry } from "../core/kernel/registry.ts"

/**
 * The few facts of tools and errors that the SDK needs at run time, as the text of its generated module (spec doors.md §5).
 * Throws when a set would hold a name that is not its member.
 */
export function sdkFacts(registry: Registry): string {
  const { tools } = registry
  const session = tools.filter(({ definition, fields }) => fields.includes("session_id") && !definition.foreign)
  const withoutProject = session.filter(({ fields }) => !fields.includes("project"))
  const observing = tools.filter(({ definition }) => definition.effect === "observe")
  return [
    "// Generated from the tool definitions by `npm run generate`; do not edit.",
    "",
    "/** Tools that take a Workflow Session as `session_id`. */",
    "export type SessionToolName =",
    ...names(session).map((name) => `  | "${name}"`),
    "",
    ...set("OBSERVING_TOOLS", [names(observing), names(tools)], "Only observe: nothing of them can be left half done."),
    ...set("TOOLS_WITHOUT_PROJECT", [names(withoutProject), names(session)], "Take a Session, but no `project`."),
    ...set(
      "GATE_KINDS",
      [gateKinds, errorKinds],
      "Error kinds that the HTTP gate gives before a call reaches the kernel.",
    ),
  ].join("\n")
}

function names(tools: Registry["tools"]): readonly string[] {
  return tools.map(({ name }) => name)
}

/** What the SDK computes of a name to look it up (`sdk/name-set.ts`). No folder may be shared with it; a test compares them. */
function markOf(name: string): string {
  const mark = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 36 ** 3, 0)
  return mark.toString(36).padStart(3, "0")
}

/** Browsers load these sets with every page: they are written as marks of three characters, the shortest form of them. */
function set(
  constant: string,
  [members, known]: readonly [readonly string[], readonly string[]],
  comment: string,
): readonly string[] {
  const marks = new Set(members.map(markOf))
  const mistaken = known.filter((name) => marks.has(markOf(name)) && !members.includes(name))
  if (mistaken.length > 0) throw new Error(`${constant} would also hold ${mistaken.join(", ")}: change markOf`)
  return [`/** ${comment} */`, `export const ${constant} = "${[...marks].join("")}"`, ""]
}
