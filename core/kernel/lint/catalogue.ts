import { type AnyToolDefinition, SURFACES, type Surface } from "../definition.ts"
import { publishedName, surfacesOf } from "../derive.ts"
import { isGatewayName } from "../gateways.ts"
import type { Finding } from "./finding.ts"

const LIMITS: Readonly<Record<Exclude<Surface, "full">, number>> = { coding: 28, shell: 30, workflow: 30 }

/** R1, R11 and the alias rules of kernel.md §1: whether the names and sizes of all surfaces are sound together. */
export function lintCatalogue(definitions: readonly AnyToolDefinition[]): readonly Finding[] {
  return [
    ...definitions.flatMap(lintName),
    ...lintUnique(definitions),
    ...SURFACES.flatMap((surface) => lintSurface(definitions, surface)),
  ]
}

function lintName({ name, alias }: AnyToolDefinition): readonly Finding[] {
  const findings: Finding[] = []
  for (const published of [name, ...Object.values(alias ?? {})]) {
    if (!/^[a-z][a-z0-9_]{0,62}$/.test(published))
      findings.push({ tool: name, field: "name", rule: "R1", message: `${published} is not a tool name` })
    if (isGatewayName(published))
      findings.push({ tool: name, field: "name", rule: "R1", message: `${published} is a reserved name` })
  }
  if (alias?.full !== undefined)
    findings.push({ tool: name, field: "alias", rule: "K1", message: "full has no aliases" })
  return findings
}

function lintUnique(definitions: readonly AnyToolDefinition[]): readonly Finding[] {
  return repeated(definitions.map((definition) => definition.name)).map((name) => ({
    tool: name,
    field: "name",
    rule: "R1",
    message: "another tool has this name",
  }))
}

function lintSurface(definitions: readonly AnyToolDefinition[], surface: Surface): readonly Finding[] {
  const shown = definitions.filter((definition) => surfacesOf(definition).includes(surface))
  const clashes = repeated(shown.map((definition) => publishedName(definition, surface)))
  const findings: Finding[] = shown
    .filter(({ alias }) => alias?.[surface] !== undefined && clashes.includes(alias[surface]))
    .map(({ name }) => ({
      tool: name,
      field: "alias",
      rule: "K1",
      message: `another tool has this name on ${surface}`,
    }))
  if (surface === "full") return findings
  const surplus = shown.slice(LIMITS[surface]).map(({ name }) => ({
    tool: name,
    field: "surfaces",
    rule: "R11",
    message: `${surface} shows at most ${LIMITS[surface]} tools`,
  }))
  return [...findings, ...surplus]
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
