import { chatSessionIdPattern } from "../chat-sessions.ts"
import { ToolError } from "../error.ts"
import { type MessageId, messageIdSchema, type SessionId, sessionIdSchema } from "../ids.ts"
import type { WrapperFields } from "../kernel.ts"
import type { ProjectedTool } from "../projection.ts"
import { isWellFormed } from "../strict-json.ts"
import type { WrapperName } from "../wrapper.ts"
import { invalidArguments } from "./invalid-arguments.ts"
import { type FieldFault, faultsOf } from "./issues.ts"
import { knownFields } from "./known-fields.ts"

/** A tool's input after its schema's parse. */
export type ParsedInput = Readonly<Record<string, unknown>>

/** Wrapper fields after their parse (spec kernel.md §3). */
export interface ParsedWrapper {
  readonly recorder?: SessionId
  readonly chatSessionId?: string
  /** Each once, ≤ 8. */
  readonly acks?: readonly MessageId[]
}

export interface ParsedCall {
  readonly input: ParsedInput
  readonly wrapper: ParsedWrapper
}

const MAX_ACKS = 8
const NO_WRAPPER: ParsedWrapper = Object.freeze({})

/**
 * Step 2d: parses input and wrapper fields, all faults at once. @throws `invalid_arguments`; `chat_session_id_invalid` when
 * nothing else is wrong.
 */
export function parseCall(
  tool: ProjectedTool,
  args: unknown,
  door: {
    readonly wrapper: WrapperFields | undefined
    /** Whether the door offers acknowledgements. */
    readonly acknowledges: boolean
    readonly schemaHash: string
  },
): ParsedCall {
  const { wrapper, schemaHash } = door
  const parsed = tool.definition.input.safeParse(args)
  const offered = tool.eraWrapper[door.acknowledges ? "2026" : "2025"]
  const faults = wrapper === undefined ? [] : wrapperFaults(wrapper, offered)
  const unsafe = tool.hasOpenInput ? unsafeFaults(args, "") : []
  const halved = !parsed.success || tool.definition.judgesUnicode === true ? [] : halfPairFaults(parsed.data, "")
  const more = [...faults, ...unsafe, ...halved]
  if (!parsed.success || more.length > 0) {
    const issues = parsed.success ? [] : parsed.error.issues
    const known = knownFields(tool, { offered, issues, isRootAtFault: more.some(({ code }) => code === "unknown") })
    throw invalidArguments({ tool: tool.name, raw: args, issues, known, schemaHash, more })
  }
  return { input: parsed.data, wrapper: wrapper === undefined ? NO_WRAPPER : parsedWrapper(wrapper) }
}

function wrapperFaults(wrapper: WrapperFields, offered: readonly WrapperName[]): readonly FieldFault[] {
  const unknown: FieldFault[] = Object.keys(wrapper)
    .filter((name) => !offered.some((known) => known === name))
    .map((name) => ({ path: name, code: "unknown" }))
  return unknown.length > 0 ? unknown : [...recorderFaults(wrapper), ...ackFaults(wrapper)]
}

function recorderFaults({ recording_session_id: value }: WrapperFields): readonly FieldFault[] {
  if (value === undefined) return []
  const recorder = sessionIdSchema.safeParse(value)
  if (recorder.success) return []
  return faultsOf(recorder.error.issues, value).map(({ code }) => ({ path: "recording_session_id", code }))
}

const ACKS = "ack_session_message_ids"

function ackFaults({ [ACKS]: value }: WrapperFields): readonly FieldFault[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [{ path: ACKS, code: value === null ? "null" : "type" }]
  const faults = value.flatMap((id: unknown, index): readonly FieldFault[] => {
    const parsed = messageIdSchema.safeParse(id)
    if (parsed.success) return []
    return faultsOf(parsed.error.issues, id).map(({ code }) => ({ path: `${ACKS}[${index}]`, code }))
  })
  if (faults.length > 0 || new Set(value).size <= MAX_ACKS) return faults
  return [{ path: ACKS, code: "too_big" }]
}

function parsedAcks({ [ACKS]: value }: WrapperFields): readonly MessageId[] {
  return Array.isArray(value) ? [...new Set(value.map((id: unknown) => messageIdSchema.parse(id)))] : []
}

function parsedWrapper(wrapper: WrapperFields): ParsedWrapper {
  const recorder = sessionIdSchema.safeParse(wrapper.recording_session_id)
  const chat = wrapper.chat_session_id
  if (chat !== undefined && !(typeof chat === "string" && chatSessionIdPattern.test(chat)))
    throw new ToolError(
      "chat_session_id_invalid",
      "chat_session_id is not a Chat Session id. Send the id that open_chat_session was given, or leave it out.",
    )
  const acks = parsedAcks(wrapper)
  return {
    ...(acks.length === 0 ? {} : { acks }),
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
