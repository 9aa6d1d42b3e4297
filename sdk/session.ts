import { TOOL_FACTS } from "./generated/tool-facts.ts"
import type { CallOptions, ToolInput, ToolMethods, ToolName, ToolOutput } from "./types.ts"

/** Tools that take a Workflow Session as `session_id`. */
export type SessionToolName = {
  [Name in ToolName]: "session_id" extends keyof ToolInput<Name> ? Name : never
}[ToolName]

type Filled<Name extends ToolName> = Omit<ToolInput<Name>, "session_id" | "project"> & {
  readonly [Field in Extract<keyof ToolInput<Name>, "session_id" | "project">]?: ToolInput<Name>[Field]
}

/** The methods of a handle: `session_id` and `project` are filled in, explicit values win. */
export type SessionToolMethods = {
  readonly [Name in SessionToolName]: (input?: Filled<Name>, options?: CallOptions) => Promise<ToolOutput<Name>>
}

/** Names a Session and, for the tools that need one, its Project; a tool's output can be passed as it is. */
export interface SessionRef {
  readonly session_id: string
  readonly project?: string | undefined
}

/** One Workflow Session's tools (spec doors.md §5.5). */
export interface SessionHandle {
  readonly id: string
  readonly project: string | undefined
  readonly tools: SessionToolMethods
  /** Closes the Session; final. */
  close(options?: CallOptions): Promise<ToolOutput<"close_session">>
}

/** Makes a frozen handle; `record` also records its calls in the Session as provenance. */
export function createSessionHandle(
  tools: ToolMethods,
  { ref, record }: { readonly ref: SessionRef; readonly record: boolean },
): SessionHandle {
  const id = ref.session_id
  const project = ref.project
  const handleTools = new Proxy<SessionToolMethods>(Object.create(null), {
    get(_target, name) {
      const facts = Object.entries(TOOL_FACTS).find(([tool]) => tool === name)?.[1]
      if (facts === undefined || typeof name !== "string") return undefined
      const filled = {
        ...(facts.session ? { session_id: id } : {}),
        ...(facts.project && project !== undefined ? { project } : {}),
      }
      return (input: object = {}, options: CallOptions = {}) =>
        Reflect.get(tools, name)({ ...filled, ...input }, record ? { recordingSessionId: id, ...options } : options)
    },
  })
  return Object.freeze({
    id,
    project,
    tools: handleTools,
    close: (options?: CallOptions) => tools.close_session({ session_id: id }, options),
  })
}
