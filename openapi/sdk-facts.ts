import type { Registry } from "../core/kernel/registry.ts"

/** The few facts of tools that the SDK needs at run time, as the text of its generated module (spec doors.md §5.3, §5.5). */
export function sdkFacts(registry: Registry): string {
  const rows = registry.tools.map(({ name, definition, fields }) => {
    const facts = {
      observe: definition.effect === "observe",
      session: fields.includes("session_id") && definition.foreign === undefined,
      project: fields.includes("project"),
    }
    return `  ${name}: { observe: ${facts.observe}, session: ${facts.session}, project: ${facts.project} },`
  })
  return [
    "// Generated from the tool definitions by `npm run generate`; do not edit.",
    "",
    "/** Whether a tool only observes, and which targets it takes. */",
    "export interface ToolFacts {",
    "  readonly observe: boolean",
    "  readonly session: boolean",
    "  readonly project: boolean",
    "}",
    "",
    "/** Facts of every tool of the full document. */",
    "export const TOOL_FACTS: Readonly<Record<string, ToolFacts>> = {",
    ...rows,
    "}",
    "",
  ].join("\n")
}
