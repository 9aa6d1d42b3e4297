import { gateKinds } from "../core/kernel/error-kinds.ts"
import type { Registry } from "../core/kernel/registry.ts"

/** The few facts of tools and errors that the SDK needs at run time, as the text of its generated module (spec doors.md §5). */
export function sdkFacts(registry: Registry): string {
  const { tools } = registry
  const session = tools.filter(({ definition, fields }) => fields.includes("session_id") && !definition.foreign)
  const withProject = session.filter(({ fields }) => fields.includes("project"))
  const observing = tools.filter(({ definition }) => definition.effect === "observe")
  return [
    "// Generated from the tool definitions by `npm run generate`; do not edit.",
    "",
    "/** Tools that take a Workflow Session as `session_id`. */",
    "export type SessionToolName =",
    ...names(session).map((name) => `  | "${name}"`),
    "",
    ...list("OBSERVING_TOOLS", names(observing), "Tools that only observe: nothing of them can be left half done."),
    ...list("TOOLS_WITH_PROJECT", names(withProject), "Those of the tools with a Session that also take a `project`."),
    ...list("GATE_KINDS", gateKinds, "Kinds that the HTTP gate gives before a call reaches the kernel."),
  ].join("\n")
}

function names(tools: Registry["tools"]): readonly string[] {
  return tools.map(({ name }) => name)
}

/** Browsers load these lists with every page; one text a list is the shortest form of them. */
function list(name: string, members: readonly string[], comment: string): readonly string[] {
  return [`/** ${comment} */`, `export const ${name}: readonly string[] =`, `  "${members.join(" ")}".split(" ")`, ""]
}
