import { isConsequential } from "../core/kernel/derive.ts"
import { GATEWAYS } from "../core/kernel/gateways.ts"
import type { ProjectedTool } from "../core/kernel/projection.ts"
import type { Registry } from "../core/kernel/registry.ts"
import { DOCUMENT_ENVELOPE } from "../core/kernel/views/envelope.ts"
import { withWrapper } from "../core/kernel/wrapper.ts"
import { refusalReferences } from "./components.ts"
import { type JsonObject, type JsonValue, toJson } from "./json.ts"

interface Operation {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly consequential: boolean
  readonly input: JsonValue
}

function post(operation: Operation, rest: JsonObject): JsonObject {
  const { name, title, description, consequential, input } = operation
  return {
    post: {
      operationId: name,
      summary: title,
      description,
      "x-openai-isConsequential": consequential,
      requestBody: { required: true, content: { "application/json": { schema: input } } },
      ...rest,
    },
  }
}

function answer(output: JsonValue): JsonObject {
  const attached = { $ref: "#/components/schemas/Attached" }
  return {
    description: "The call ran, successfully or not.",
    content: {
      "application/json": {
        schema: {
          oneOf: [
            {
              type: "object",
              properties: { success: { type: "boolean", const: true }, output, attached },
              required: ["success", "output"],
            },
            { $ref: "#/components/schemas/Refusal" },
          ],
        },
      },
    },
  }
}

function facts({ definition, surfaces }: ProjectedTool): JsonValue {
  const { effect, mutates, destructive, openWorld, idempotency, risk, scopes, target } = definition
  return toJson({ effect, mutates, destructive, open_world: openWorld, idempotency, risk, scopes, target, surfaces })
}

/** Paths of the full document: every tool in catalogue order, then the gateways (spec doors.md §3.1 steps 3, 4). */
export function fullToolPaths(registry: Registry): JsonObject {
  const tools = registry.tools.map((tool) => {
    const { definition, name, consequential, exact, wrapper } = tool
    const operation = {
      name,
      title: definition.title,
      description: definition.description,
      consequential,
      input: toJson(withWrapper(exact.input, wrapper)),
    }
    return [
      `/tools/${name}`,
      post(operation, {
        tags: [definition.category],
        responses: { "200": answer(toJson(exact.output)), ...refusalReferences() },
        "x-holdfast": facts(tool),
      }),
    ] as const
  })
  const anyOutput = { type: "object", properties: {}, additionalProperties: true }
  const gateways = gatewayOperations(registry).map(
    (operation) =>
      [
        `/tools/${operation.name}`,
        post(operation, { tags: ["discovery"], responses: { "200": answer(anyOutput), ...refusalReferences() } }),
      ] as const,
  )
  return Object.fromEntries([...tools, ...gateways])
}

/** Paths of the GPT Actions document: the `coding` surface in the model view, then the gateways (spec doors.md §3.3). */
export function actionPaths(registry: Registry): JsonObject {
  const tools = registry.exposed
    .filter(({ surfaces }) => surfaces.includes("coding"))
    .map(({ definition, name, consequential, model }) => ({
      name,
      title: definition.title,
      description: definition.description,
      consequential,
      input: toJson(model["2025"]),
    }))
  const responses = {
    "200": {
      description: "The call ran, successfully or not.",
      content: { "application/json": { schema: toJson(DOCUMENT_ENVELOPE) } },
    },
    default: { $ref: "#/components/responses/Refused" },
  }
  return Object.fromEntries(
    [...tools, ...gatewayOperations(registry)].map((operation) => [
      `/tools/${operation.name}`,
      post(operation, { responses }),
    ]),
  )
}

function gatewayOperations(registry: Registry): readonly Operation[] {
  return GATEWAYS.map((gateway) => ({
    name: gateway.name,
    title: gateway.title,
    description: gateway.description,
    consequential: isConsequential(gateway),
    input: toJson(withWrapper(gateway.input, registry.wrapper)),
  }))
}
