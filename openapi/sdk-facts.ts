import { gateKinds } from "../core/kernel/error-kinds.ts"
import type { Registry } from "../core/kernel/registry.ts"

/** The few facts of tools and errors that the SDK needs at run time, as the text of its generated module (spec doors.md §5). */
export function sdkFacts(registry: Registry): string {
  const { tools } = registry
  const session = tools.filter(({ definition, fields }) => fields.includes("session_id") && !definition.foreign)
  const withoutProject = session.filter(({ fields }) => !fields.includes("project"))
  return [
    "// Generated from the tool definitions by `npm run generate`; do not edit.",
    "",
    "/** Tools that take a Workflow Session as `session_id`. */",
    "export type SessionToolName =",
    ...session.map(({ name }) => `  | "${name}"`),
    "",
    ...list("OBSERVING_TOOLS", names(tools.filter(({ definition }) => definition.effect === "observe")), OBSERVING),
    ...list(
      "TOOLS_WITHOUT_PROJECT",
      names(withoutProject),
      "Those of the tools with a Session that take no `project`.",
    ),
    ...list("GATE_KINDS", gateKinds, "Kinds that the HTTP gate gives before a call reaches the kernel."),
  ].join("\n")
}

const OBSERVING = "Tools that only observe: nothing of them can be left half done."

function names(tools: Registry["tools"]): readonly string[] {
  return tools.map(({ name }) => name)
}

function list(name: string, members: readonly string[], comment: string): readonly string[] {
  const rows = members.map((member) => `  "${member}",`)
  return [`/** ${comment} */`, `export const ${name}: readonly string[] = [`, ...rows, "]", ""]
}
