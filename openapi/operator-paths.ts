import { refusalReferences } from "./components.ts"
import { isObject, type JsonObject, objectAt, sorted } from "./json.ts"

/**
 * tsoa's operator paths with what its comments cannot say: a summary (the description's first clause) and every status that
 * the gate and kernel can give instead of `default` (spec doors.md §3.1 step 3). Sorted by path.
 */
export function operatorPaths(operator: JsonObject): JsonObject {
  const paths = Object.entries(objectAt(operator, "paths")).map(([path, item]) => {
    const post = objectAt(isObject(item) ? item : {}, "post")
    const { default: _default, ...responses } = objectAt(post, "responses")
    const { operationId, description = "", ...rest } = post
    const summary = String(description).split(/[.;:,]/)[0] ?? ""
    return [
      path,
      { post: { operationId, summary, description, ...rest, responses: { ...responses, ...refusalReferences() } } },
    ] as const
  })
  return sorted(Object.fromEntries(paths))
}
