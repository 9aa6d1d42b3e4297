import type { Registry } from "../core/kernel/registry.ts"
import { BEARER, refusalResponses, sharedSchemas } from "./components.ts"
import operatorPart from "./generated/operator.json" with { type: "json" }
import { isObject, type JsonObject, objectAt, sorted, toJson } from "./json.ts"
import { operatorPaths } from "./operator-paths.ts"
import { dropUnreachableSchemas } from "./reachable.ts"
import { schemaHash, withSchemaHash } from "./schema-hash.ts"
import { actionPaths, fullToolPaths } from "./tool-paths.ts"
import { upgradeTo31 } from "./upgrade.ts"

/** The two documents of one registry and the hash that names the full one (spec doors.md §3.2, §3.3). */
export interface Documents {
  readonly full: JsonObject
  readonly actions: JsonObject
  readonly schemaHash: string
}

/** What documents say beside the definitions. */
export interface DocumentOptions {
  readonly version: string
  /** `public_url`, else the loopback address that is listened on; never from a request (spec doors.md §3.2). */
  readonly serverUrl: string
}

/** Both documents as pure functions of registry, committed operator part and options (spec doors.md §3.1). */
export function buildDocuments(registry: Registry, options: DocumentOptions): Documents {
  const full = fullDocument(registry, options)
  const hash = schemaHash(full)
  return { full: withSchemaHash(full, hash), actions: actionsDocument(registry, options), schemaHash: hash }
}

function fullDocument(registry: Registry, { version, serverUrl }: DocumentOptions): JsonObject {
  const raw = toJson(operatorPart)
  const operator = upgradeTo31(isObject(raw) ? raw : {})
  const components = objectAt(operator, "components")
  return dropUnreachableSchemas({
    openapi: "3.1.0",
    info: {
      title: "Holdfast",
      version,
      description: "Durable work sessions for AI agents on a real machine.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths: { ...fullToolPaths(registry), ...operatorPaths(operator) },
    components: {
      responses: sorted({ ...objectAt(components, "responses"), ...refusalResponses() }),
      schemas: sorted({ ...objectAt(components, "schemas"), ...sharedSchemas() }),
      securitySchemes: BEARER,
    },
  })
}

function actionsDocument(registry: Registry, { version, serverUrl }: DocumentOptions): JsonObject {
  const refusal = {
    description: "Refused before anything ran; error.kind says why.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: { success: { type: "boolean" }, error: { type: "object", properties: {} } },
          required: ["success", "error"],
        },
      },
    },
  }
  return {
    openapi: "3.1.0",
    info: { title: "Holdfast", version, description: "Durable work sessions for AI agents on a real machine." },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths: actionPaths(registry),
    components: { responses: { Refused: refusal }, schemas: {}, securitySchemes: BEARER },
  }
}
