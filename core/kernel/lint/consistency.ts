import { SCOPES } from "../../access/scopes.ts"
import type { AnyToolDefinition } from "../definition.ts"
import { type JsonSchema, propertiesOf, requiredOf } from "../views/json-schema.ts"
import type { Finding } from "./finding.ts"

/** R7, R9, R10 and the rules at the end of kernel.md §1: whether the facts of one definition agree with each other. */
export function lintConsistency(definition: AnyToolDefinition, input: JsonSchema): readonly Finding[] {
  const fields = Object.keys(propertiesOf(input))
  const required = requiredOf(input)
  return [
    ...lintEffect(definition),
    ...lintTargets(definition, { fields, required }),
    ...lintScopes(definition),
    ...lintReferences(definition, fields),
  ]
}

function lintEffect(definition: AnyToolDefinition): readonly Finding[] {
  const { name: tool, effect, mutates, risk, destructive } = definition
  const findings: Finding[] = []
  if (effect === "mutate" && mutates === undefined)
    findings.push({ tool, field: "mutates", rule: "K1", message: "a mutation says what it mutates" })
  if (effect !== "mutate" && mutates !== undefined)
    findings.push({ tool, field: "mutates", rule: "K1", message: "only a mutation mutates" })
  if (effect === "observe" && risk !== "none")
    findings.push({ tool, field: "risk", rule: "K1", message: `observe has no risk, this one says ${risk}` })
  const bearsRisk = effect === "execute" || mutates === "workspace" || mutates === "knowledge"
  if (bearsRisk && risk === "none")
    findings.push({ tool, field: "risk", rule: "K1", message: `${effect} of this kind bears a risk, not none` })
  if (effect === "observe" && destructive)
    findings.push({ tool, field: "destructive", rule: "R9", message: "observe is not destructive" })
  return findings
}

interface Fields {
  readonly fields: readonly string[]
  readonly required: readonly string[]
}

function lintTargets(
  { name: tool, target, foreign }: AnyToolDefinition,
  { fields, required }: Fields,
): readonly Finding[] {
  const findings: Finding[] = []
  const targets = [
    ["project", target.project],
    ["session_id", target.session],
  ] as const
  for (const [field, need] of targets) {
    const isRequired = required.includes(field)
    if (need === "required" && !isRequired)
      findings.push({ tool, field, rule: "R7", message: "the target is required, so the field is" })
    if (need === "optional" && (isRequired || !fields.includes(field)))
      findings.push({ tool, field, rule: "R7", message: "the target is optional, so the field exists and is optional" })
  }
  const strays = target.session === "none" && fields.includes("session_id") && foreign === undefined
  if (strays)
    findings.push({ tool, field: "session_id", rule: "R7", message: "no Session target: name the field in foreign" })
  return findings
}

function lintScopes({ name: tool, scopes }: AnyToolDefinition): readonly Finding[] {
  if (scopes.length === 0) return [{ tool, field: "scopes", rule: "R10", message: "names no scope" }]
  return scopes
    .filter((scope) => !SCOPES.includes(scope))
    .map((scope) => ({ tool, field: "scopes", rule: "R10", message: `unknown scope ${scope}` }))
}

function lintReferences(definition: AnyToolDefinition, fields: readonly string[]): readonly Finding[] {
  const { name: tool, idempotency, inherits, expectation, record } = definition
  const missing = (facet: string, names: readonly string[]): Finding[] =>
    names
      .filter((field) => !fields.includes(field))
      .map((field) => ({ tool, field: facet, rule: "K1", message: `the input has no field ${field}` }))
  const findings = [...missing("inherits", inherits), ...missing("expectation", expectation)]
  if (expectation.length > 0 !== (record.expectation !== undefined))
    findings.push({ tool, field: "expectation", rule: "K1", message: "what is declared of a result is recorded" })
  if (typeof idempotency === "object" && !fields.includes(idempotency.key))
    findings.push({ tool, field: "idempotency", rule: "R9", message: `the input has no field ${idempotency.key}` })
  return findings
}
