import type { CatalogueEntry } from "../kernel/catalogue.ts"
import type { Surface } from "../kernel/definition.ts"

/** How a caller of this process's surface gets to a tool (spec kernel.md §8). */
export type Reach = "direct" | "call_read_tool" | "call_tool"

/** `direct` on the process's own surface, else the gateway that its effect needs. */
export function reachOf(entry: CatalogueEntry, surface: Surface): Reach {
  if (entry.surfaces.includes(surface)) return "direct"
  return entry.effect === "observe" ? "call_read_tool" : "call_tool"
}
