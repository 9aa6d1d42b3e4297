import type { AnyToolDefinition } from "../definition.ts"
import { codePoints } from "../text-schema.ts"
import type { Finding } from "./finding.ts"

/** Prose that pushes the model instead of stating facts. */
const PUSH = /\b(you (must|should)|always|never call|use this tool|important:)/i

/** Why a text is not fit to be shown to a model; `undefined` when it is. */
export function textFault(text: string, min: number, max: number): string | undefined {
  const length = codePoints(text)
  if (length < min || length > max) return `has ${length} characters, allowed are ${min} to ${max}`
  if (/[\r\n]/.test(text)) return "is more than one line"
  if (text.includes("```")) return "holds a code fence"
  return PUSH.test(text) ? "pushes the model; state facts" : undefined
}

/** R2: title and description. */
export function lintText({ name: tool, title, description }: AnyToolDefinition): readonly Finding[] {
  const faults: Finding[] = []
  const titleFault = textFault(title, 3, 60)
  const descriptionFault = textFault(description, 20, 300)
  if (titleFault !== undefined) faults.push({ tool, field: "title", rule: "R2", message: titleFault })
  if (descriptionFault !== undefined) faults.push({ tool, field: "description", rule: "R2", message: descriptionFault })
  return faults
}
