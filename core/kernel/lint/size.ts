import type { Surface } from "../definition.ts"
import type { Finding } from "./finding.ts"

/** Most bytes of one entry of a tool list (spec doors.md §1.5 R12). */
export const MAX_ENTRY_BYTES = 2600

const MAX_LIST_BYTES: Readonly<Record<Surface, number>> = {
  coding: 40_000,
  shell: 40_000,
  workflow: 40_000,
  full: 160_000,
}

/** R12: whether a surface's list fits what hosts read, with all scopes and features, in the 2026 era. */
export function lintSize(surface: Surface, entries: readonly { readonly name: string }[]): readonly Finding[] {
  const findings: Finding[] = []
  // `full` shows every tool, so each entry is judged once.
  for (const entry of surface === "full" ? entries : []) {
    const bytes = Buffer.byteLength(JSON.stringify(entry))
    if (bytes > MAX_ENTRY_BYTES)
      findings.push({ tool: entry.name, rule: "R12", message: `its entry has ${bytes} bytes of ${MAX_ENTRY_BYTES}` })
  }
  const total = Buffer.byteLength(JSON.stringify(entries))
  if (total >= MAX_LIST_BYTES[surface])
    findings.push({ tool: surface, rule: "R12", message: `its list has ${total} bytes of ${MAX_LIST_BYTES[surface]}` })
  return findings
}
