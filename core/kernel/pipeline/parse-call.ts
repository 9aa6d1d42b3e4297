import { chatSessionIdPattern } from "../chat-sessions.ts"
import { ToolError } from "../error.ts"
import { type SessionId, sessionIdSchema } from "../ids.ts"
import type { WrapperFields } from "../kernel.ts"
import type { ProjectedTool } from "../projection.ts"
import { isWellFormed } from "../strict-json.ts"
import { invalidArguments } from "./invalid-arguments.ts"
import { type FieldFault, faultsOf } from "./issues.ts"

/** A tool's input after its schema's parse. */
export type ParsedInput = Readonly<Record<string, unknown>>

/** Wrapper fields after their parse (spec kernel.md §3). */
export interface ParsedWrapper {
  readonly recorder?: SessionId
  readonly chatSessionId?: string
}

export interface ParsedCall {
  readonly input: ParsedInput
  readonly wrapper: ParsedWrapper
}

const NO_WRAPPER: ParsedWrapper = Object.freeze({})

/**
 * Step 2d: parses input and wrapper fields, all faults at once. @throws `invalid_arguments`; `chat_session_id_invalid` when
 * nothing else is wrong.
 */
export function parseCall(
  tool: ProjectedTool,
  args: unknown,
  { wrapper, schemaHash }: { readonly wrapper: WrapperFields | undefined; readonly schemaHash: string },
): ParsedCall {
  const parsed = tool.definition.input.safeParse(args)
  const faults = wrapper === undefined ? [] : wrapperFaults(wrapper, tool)
  const unsafe = tool.hasOpenInput ? unsafeFaults(args, "") : []
  const halved = !parsed.success || isWellFormed(parsed.data) ? [] : halfPairFaults(parsed.data, "")
  const more = [...faults, ...unsafe, ...halved]
  if (!parsed.success || more.length > 0) {
    const issues = parsed.success ? [] : parsed.error.issues
    const known = [...tool.fields, ...tool.wrapper]
    throw invalidArguments({ tool: tool.name, raw: args, issues, known, schemaHash, more })
  }
  return { input: parsed.data, wrapper: wrapper === undefined ? NO_WRAPPER : parsedWrapper(wrapper) }
}

function wrapperFaults(wrapper: WrapperFields, tool: ProjectedTool): readonly FieldFault[] {
  const faults: FieldFault[] = Object.keys(wrapper)
    .filter((name) => !tool.wrapper.some((offered) => offered === name))
    .map((name) => ({ path: name, code: "unknown" }))
  if (faults.length > 0 || wrapper.recording_session_id === undefined) return faults
  const recorder = sessionIdSchema.safeParse(wrapper.recording_session_id)
  if (recorder.success) return faults
  return faultsOf(recorder.error.issues, wrapper.recording_session_id).map(({ code }) => ({
    path: "recording_session_id",
    code,
  }))
}

function parsedWrapper(wrapper: WrapperFields): ParsedWrapper {
  const recorder = sessionIdSchema.safeParse(wrapper.recording_session_id)
  const chat = wrapper.chat_session_id
  if (chat !== undefined && !(typeof chat === "string" && chatSessionIdPattern.test(chat)))
    throw new ToolError(
      "chat_session_id_invalid",
      "chat_session_id is not a Chat Session id. Send the id that open_chat_session was given, or leave it out.",
    )
  return {
    ...(recorder.success ? { recorder: recorder.data } : {}),
    ...(chat === undefined ? {} : { chatSessionId: chat }),
  }
}

/**
 * Strings and member names that hold half a surrogate pair: stored or written, they would silently become another text. The
 * doors read none; an embedding program can send one.
 */
function halfPairFaults(value: unknown, path: string): readonly FieldFault[] {
  if (isWellFormed(value)) return []
  if (typeof value !== "object" || value === null) return [{ path, code: "format" }]
  if (Array.isArray(value)) return value.flatMap((item, index) => halfPairFaults(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([name, member]): readonly FieldFault[] =>
    name.isWellFormed() ? halfPairFaults(member, path === "" ? name : `${path}.${name}`) : [{ path, code: "format" }],
  )
}

const UNSAFE_MEMBERS = new Set(["__proto__", "constructor", "prototype"])

/** Members of an open object that would reach a prototype when copied carelessly (spec doors.md §1.5 R5). */
function unsafeFaults(value: unknown, path: string): readonly FieldFault[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, member]): readonly FieldFault[] => {
    const at = path === "" ? name : `${path}.${name}`
    return UNSAFE_MEMBERS.has(name) ? [{ path: at, code: "unknown" }] : unsafeFaults(member, at)
  })
}
