import { Ajv2020 } from "ajv/dist/2020.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { SCOPES } from "../../../core/access/scopes.ts"
import { createRegistry } from "../../../core/kernel/registry.ts"
import { textSchema } from "../../../core/kernel/text-schema.ts"
import { exactInput, exactOutput } from "../../../core/kernel/views/exact.ts"
import { modelInput } from "../../../core/kernel/views/model.ts"
import { splitWrapper } from "../../../core/kernel/wrapper.ts"
import { testTool } from "../../support/test-tool.ts"

const schema = z.strictObject({
  name: textSchema(1, 5).describe("A name."),
  count: z.int().min(1).max(9).default(3).describe("A count."),
  big: z.int().min(0).optional().describe("Any count."),
  offset: z.int().min(0).max(2_147_483_647).optional().describe("An offset."),
  kind: z.enum(["a", "b"]).optional().describe("A kind."),
  list: z
    .array(z.strictObject({ at: z.literal("x").describe("X."), default: textSchema(0, 3).describe("D.") }))
    .max(2)
    .optional()
    .describe("A list."),
})

describe("views of a schema", () => {
  it("keeps every bound in the exact input and drops those of safe integers", () => {
    expect(exactInput(schema)).toEqual({
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 5, description: "A name." },
        count: { type: "integer", minimum: 1, maximum: 9, default: 3, description: "A count." },
        big: { type: "integer", minimum: 0, description: "Any count." },
        offset: { type: "integer", minimum: 0, maximum: 2_147_483_647, description: "An offset." },
        kind: { type: "string", enum: ["a", "b"], description: "A kind." },
        list: {
          type: "array",
          maxItems: 2,
          description: "A list.",
          items: {
            type: "object",
            properties: {
              at: { type: "string", const: "x", description: "X." },
              default: { type: "string", maxLength: 3, description: "D." },
            },
            required: ["at", "default"],
            additionalProperties: false,
          },
        },
      },
      required: ["name"],
      additionalProperties: false,
    })
  })

  it("lets an output grow: objects are not closed, open ones stay open", () => {
    const view = exactOutput(z.object({ a: z.object({ b: z.boolean() }), free: z.looseObject({}) }))
    expect(view).toEqual({
      type: "object",
      properties: {
        a: { type: "object", properties: { b: { type: "boolean" } }, required: ["b"] },
        free: { type: "object", properties: {}, additionalProperties: true },
      },
      required: ["a", "free"],
    })
  })

  it("shows a model types and enums, closed at the root alone", () => {
    expect(modelInput(exactInput(schema))).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "A name." },
        count: { type: "integer", minimum: 1, maximum: 9, default: 3, description: "A count." },
        big: { type: "integer", description: "Any count." },
        offset: { type: "integer", description: "An offset." },
        kind: { type: "string", enum: ["a", "b"], description: "A kind." },
        list: {
          type: "array",
          description: "A list.",
          items: {
            type: "object",
            properties: {
              at: { type: "string", enum: ["x"], description: "X." },
              default: { type: "string", description: "D." },
            },
            required: ["at", "default"],
          },
        },
      },
      required: ["name"],
      additionalProperties: false,
    })
  })

  it("leaves out texts that a model gains nothing by: of members that their field's own text tells, and a name said again", () => {
    const part = z.strictObject({ name: z.string().describe("Name."), at: z.string().describe("Where it stands.") })
    const told = z.strictObject({
      parts: z.array(part).describe("Its parts."),
      shown: part.describe("name and at of it."),
    })
    expect(modelInput(exactInput(told)).properties).toEqual({
      parts: {
        type: "array",
        description: "Its parts.",
        items: {
          type: "object",
          properties: { name: { type: "string" }, at: { type: "string", description: "Where it stands." } },
          required: ["name", "at"],
        },
      },
      shown: {
        type: "object",
        description: "name and at of it.",
        properties: { name: { type: "string" }, at: { type: "string" } },
        required: ["name", "at"],
      },
    })
  })

  it("widens only: what the exact schema accepts, the model view accepts", () => {
    const ajv = new Ajv2020({ strict: false })
    const exact = ajv.compile(exactInput(schema))
    const model = ajv.compile(modelInput(exactInput(schema)))
    const value = fc.record(
      {
        name: fc.string({ maxLength: 7 }),
        count: fc.integer({ min: -1, max: 11 }),
        big: fc.nat(),
        offset: fc.oneof(fc.nat(), fc.constant(2_147_483_648)),
        kind: fc.constantFrom("a", "b", "c"),
        list: fc.array(fc.record({ at: fc.constantFrom("x", "y"), default: fc.string({ maxLength: 4 }) }), {
          maxLength: 3,
        }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(value, (candidate) => {
        if (exact(candidate)) expect(model(candidate)).toBe(true)
        expect(schema.safeParse(candidate).success).toBe(exact(candidate))
      }),
    )
  })
})

describe("registry", () => {
  const shown = testTool({ name: "shown_tool", surfaces: ["coding"], scopes: ["project:read"] })
  const hidden = testTool({ name: "hidden_tool" })
  const renamed = testTool({ name: "renamed_tool", surfaces: ["workflow"], alias: { workflow: "old_name" } })
  const registry = createRegistry([shown, hidden, renamed], { disabledTools: ["hidden_tool"] })
  const all = new Set(SCOPES)

  it("D36: flags follow effect and what is changed", () => {
    const flag = (changes: Parameters<typeof testTool>[0]) =>
      createRegistry([testTool(changes)]).tools[0]?.consequential
    expect(flag({})).toBe(false)
    expect(flag({ effect: "mutate", mutates: "session" })).toBe(false)
    expect(flag({ effect: "mutate", mutates: "workspace", risk: "write" })).toBe(true)
    expect(flag({ effect: "mutate", mutates: "session", destructive: true })).toBe(true)
    expect(flag({ effect: "execute", risk: "shell" })).toBe(true)
  })

  it("finds a tool by its published name on a surface and by its own name without one", () => {
    expect(registry.find("renamed_tool", undefined)?.tool.name).toBe("renamed_tool")
    expect(registry.find("old_name", undefined)).toBeUndefined()
    expect(registry.find("old_name", "workflow")?.tool.name).toBe("renamed_tool")
    expect(registry.find("renamed_tool", "workflow")).toBeUndefined()
    expect(registry.find("hidden_tool", undefined)?.closed).toBe("disabled")
    expect(registry.find("shown_tool", "shell")).toBeUndefined()
  })

  it("lists a surface in catalogue order with the gateways last, without tools the scopes cannot call", () => {
    const names = (surface: "coding" | "workflow" | "full", scopes = all) =>
      registry.mcpTools(surface, "2026", scopes).tools.map((tool) => tool.name)
    expect(names("coding")).toEqual(["shown_tool", "call_read_tool", "call_tool"])
    expect(names("workflow")).toEqual(["old_name"])
    expect(names("full")).toEqual(["shown_tool", "renamed_tool", "call_read_tool", "call_tool"])
    expect(names("coding", new Set(["runtime:read"]))).toEqual(["call_read_tool", "call_tool"])
    expect(registry.mcpTools("coding", "2025", all)).toBe(registry.mcpTools("coding", "2026", all))
  })

  it("offers recording_session_id alone until another domain is registered", () => {
    const [tool] = registry.mcpTools("coding", "2026", all).tools
    expect(tool?.inputSchema.properties).toEqual({
      text: { type: "string", description: "Any text." },
      recording_session_id: { type: "string" },
    })
    expect(registry.wrapper).toEqual(["recording_session_id"])
    const chatty = createRegistry([
      testTool({ category: "chat", target: { project: "none", session: "none", chat: "optional" } }),
    ])
    expect(chatty.tools[0]?.wrapper).toEqual(["recording_session_id", "chat_session_id"])
  })

  it("takes exactly the offered wrapper fields off the arguments", () => {
    expect(splitWrapper({ a: 1, recording_session_id: 7, chat_session_id: "c" }, registry.wrapper)).toEqual({
      input: { a: 1, chat_session_id: "c" },
      wrapper: { recording_session_id: 7 },
    })
    expect(splitWrapper([1], registry.wrapper)).toEqual({ input: [1], wrapper: {} })
  })

  it("is frozen at every depth", () => {
    expect(Object.isFrozen(registry)).toBe(true)
    expect(Object.isFrozen(registry.tools[0]?.exact.input.properties)).toBe(true)
    expect(Object.isFrozen(registry.catalogue(() => "0".repeat(32)).entries()[0])).toBe(true)
  })
})
