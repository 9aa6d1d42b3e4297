import type { AnyToolDefinition } from "./definition.ts"
import type { WrapperFields } from "./kernel.ts"
import type { JsonSchema } from "./views/json-schema.ts"

/** Names that no tool may use for a field of its own (spec kernel.md §3, doors.md §1.5 R6). */
export const WRAPPER_NAMES = [
  "recording_session_id",
  "chat_session_id",
  "ack_session_message_ids",
  "context_request",
] as const

/** A wrapper field that this registry offers; a field appears only when its domain is registered (spec doors.md §1.4). */
export type WrapperName = "recording_session_id" | "chat_session_id" | "ack_session_message_ids"

/** Protocol eras of the MCP door; HTTP offers what the older one does (spec doors.md §1.4). */
export type McpEra = "2025" | "2026"

/** The wrapper fields of each era. */
export type OfferedWrapper = Readonly<Record<McpEra, readonly WrapperName[]>>

const FIELDS: Readonly<Record<WrapperName, JsonSchema>> = {
  recording_session_id: { type: "string" },
  chat_session_id: { type: "string" },
  ack_session_message_ids: { type: "array", items: { type: "string" } },
}

/** The wrapper fields a set of definitions makes available at all; a door takes exactly these off the arguments. */
export function offeredWrapper(definitions: readonly AnyToolDefinition[]): OfferedWrapper {
  const has = (category: AnyToolDefinition["category"]): boolean =>
    definitions.some((definition) => definition.category === category)
  const common: readonly WrapperName[] = has("chat")
    ? ["recording_session_id", "chat_session_id"]
    : ["recording_session_id"]
  return { "2025": common, "2026": has("message") ? [...common, "ack_session_message_ids"] : common }
}

/** The offered wrapper fields that one tool takes. */
export function wrapperOf(target: Pick<AnyToolDefinition["target"], "chat">, offered: OfferedWrapper): OfferedWrapper {
  if (target.chat !== "none") return offered
  const own = (names: readonly WrapperName[]) => names.filter((name) => name !== "chat_session_id")
  return { "2025": own(offered["2025"]), "2026": own(offered["2026"]) }
}

/** An input view with the wrapper fields beside the tool's own; without description, they are explained once. */
export function withWrapper(input: JsonSchema, wrapper: readonly WrapperName[]): JsonSchema {
  const properties = typeof input.properties === "object" ? input.properties : {}
  return { ...input, properties: { ...properties, ...Object.fromEntries(wrapper.map((name) => [name, FIELDS[name]])) } }
}

/** A tool's own arguments and the wrapper fields a door took off them. */
export interface SplitArguments {
  readonly input: unknown
  readonly wrapper: WrapperFields
}

/** Takes the offered wrapper fields off a call's arguments (spec kernel.md §3); anything but an object is left as it is. */
export function splitWrapper(args: unknown, offered: readonly WrapperName[]): SplitArguments {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return { input: args, wrapper: {} }
  const present = offered.filter((name) => Object.hasOwn(args, name))
  if (present.length === 0) return { input: args, wrapper: {} }
  const isTaken = (name: string): boolean => present.some((taken) => taken === name)
  const entries = Object.entries(args)
  return {
    input: Object.fromEntries(entries.filter(([name]) => !isTaken(name))),
    wrapper: Object.fromEntries(entries.filter(([name]) => isTaken(name))),
  }
}
