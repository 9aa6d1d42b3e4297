import { refusalReferences } from "./components.ts"
import { isObject, type JsonObject, type JsonValue, objectAt, sorted } from "./json.ts"

/**
 * tsoa's operator paths with what its comments cannot say: a summary (the description's first clause) and every status that
 * the gate and kernel can give instead of `default` (spec doors.md §3.1 step 3). Sorted by path.
 */
export function operatorPaths(operator: JsonObject): JsonObject {
  const paths = Object.entries(objectAt(operator, "paths")).map(([path, item]) => {
    const operations = Object.entries(isObject(item) ? item : {})
    return [path, Object.fromEntries(operations.map(([method, operation]) => [method, completed(operation)]))] as const
  })
  return sorted(Object.fromEntries(paths))
}

function completed(raw: JsonValue | undefined): JsonObject {
  const operation = isObject(raw) ? raw : {}
  const { operationId = "", description = "", ...rest } = operation
  const { default: _default, ...responses } = objectAt(operation, "responses")
  const summary = String(description).split(/[.;:,]/)[0] ?? ""
  return { operationId, summary, description, ...rest, responses: { ...responses, ...refusalReferences() } }
}
