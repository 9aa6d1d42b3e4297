import type { z } from "zod"

/** A zod schema inside another one, with its dotted path. */
export interface Visited {
  readonly path: string
  readonly schema: z.core.$ZodTypes
}

/** Every schema of a tree, parents first; wrappers such as `optional` have the path of what they wrap. */
export function walkZod(root: z.ZodType, path = ""): readonly Visited[] {
  const found: Visited[] = []
  visit(root, path, found)
  return found
}

function visit(schema: z.core.$ZodType, path: string, found: Visited[]): void {
  if (found.some((seen) => seen.schema === schema && seen.path === path)) return
  const known = asKnown(schema)
  if (known === undefined) return
  found.push({ path, schema: known })
  for (const [member, child] of childrenOf(known)) visit(child, member === "" ? path : `${path}${member}`, found)
}

function asKnown(schema: z.core.$ZodType): z.core.$ZodTypes | undefined {
  return isKnown(schema) ? schema : undefined
}

/** Zod types its tree by the open base class; the closed union of its own classes is told apart by `def.type`. */
function isKnown(schema: z.core.$ZodType): schema is z.core.$ZodTypes {
  return typeof schema._zod.def.type === "string"
}

function childrenOf(schema: z.core.$ZodTypes): readonly (readonly [string, z.core.$ZodType])[] {
  const { def } = schema._zod
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).map(([name, member]) => [`.${name}`, member] as const)
    case "array":
      return [["[]", def.element]]
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return [["", def.innerType]]
    case "union":
      return def.options.map((option) => ["", option] as const)
    case "intersection":
      return [
        ["", def.left],
        ["", def.right],
      ]
    case "pipe":
      return [
        ["", def.in],
        ["", def.out],
      ]
    case "record":
      return [["{}", def.valueType]]
    default:
      return []
  }
}
