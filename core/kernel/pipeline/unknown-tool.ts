import type { Surface } from "../definition.ts"
import { publishedName } from "../derive.ts"
import { ToolError } from "../error.ts"
import type { ProjectedTool } from "../projection.ts"
import type { Registry } from "../registry.ts"
import { editDistance } from "./edit-distance.ts"

const MAX_DISTANCE = 3
const MAX_NAMES = 3

/** The refusal of a name that is not known on a door, with near names and the surfaces that do have it (spec doors.md §2.3). */
export function unknownTool(
  name: string,
  on: { readonly registry: Registry; readonly surface: Surface | undefined; readonly schemaHash: string },
): ToolError<"unknown_tool"> {
  const { registry, surface, schemaHash } = on
  const elsewhere = registry.exposed.find((tool) => tool.name === name)
  const shown = JSON.stringify(name.length <= 64 ? name : `${name.slice(0, 63)}…`)
  const where = surface === undefined ? "There is no tool" : `The surface ${surface} has no tool`
  return new ToolError("unknown_tool", `${where} ${shown}. ${nextStep(registry, surface, elsewhere)}`, {
    details: {
      did_you_mean: nearNames(name, registry, surface),
      surfaces: elsewhere === undefined ? [] : [...elsewhere.surfaces],
      schema_hash: schemaHash,
    },
  })
}

/** Names only what the caller can do where it is. */
function nextStep(registry: Registry, surface: Surface | undefined, elsewhere: ProjectedTool | undefined): string {
  if (elsewhere !== undefined && registry.hasGateways(surface)) {
    return `Run it by ${elsewhere.definition.effect === "observe" ? "call_read_tool" : "call_tool"}.`
  }
  if (elsewhere !== undefined) return `It is on ${elsewhere.surfaces.join(", ")}: connect to one of these.`
  const lister = registry.find("list_tools", surface)
  const isListed = lister !== undefined && lister.closed === undefined
  return isListed ? "Ask list_tools for the names that exist." : "Choose one of this endpoint's tools/list."
}

function nearNames(name: string, registry: Registry, surface: Surface | undefined): string[] {
  const on = surface ?? "full"
  return registry.exposed
    .filter((tool) => tool.surfaces.includes(on))
    .map((tool) => publishedName(tool.definition, on))
    .map((known) => ({ known, distance: editDistance(name, known, MAX_DISTANCE) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_NAMES)
    .map(({ known }) => known)
}
