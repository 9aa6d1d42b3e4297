import type { JsonObject } from "../../core/kernel/strict-json.ts"

/** A call's arguments as a door hands them to the kernel: the tool's own, and the wrapper's beside them, both unparsed. */
export interface SplitArguments {
  readonly input: JsonObject
  readonly wrapper: JsonObject
}

/**
 * Takes the wrapper fields out of a call's root members (spec doors.md §1.4). `offered` are the fields that this door,
 * era and set of registered domains has; any other stays where it is and is an unknown field of the tool.
 */
export function splitWrapper(body: JsonObject, offered: readonly string[]): SplitArguments {
  if (!offered.some((field) => Object.hasOwn(body, field))) return { input: body, wrapper: {} }
  const entries = Object.entries(body)
  return {
    // `fromEntries` defines members, so that one named `__proto__` stays an ordinary one.
    input: Object.fromEntries(entries.filter(([member]) => !offered.includes(member))),
    wrapper: Object.fromEntries(entries.filter(([member]) => offered.includes(member))),
  }
}
