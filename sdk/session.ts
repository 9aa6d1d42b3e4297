import { type SessionToolName, TOOLS_WITHOUT_PROJECT } from "./generated/tool-facts.ts"
import { type MessageChanges, type ObserveMessagesOptions, observeMessages } from "./messages.ts"
import { holdsName } from "./name-set.ts"
import { createToolMethods } from "./tool-methods.ts"
import type { CallOptions, NoRequired, ToolInput, ToolMethods, ToolOutput } from "./types.ts"

type Filled<Name extends SessionToolName> = Omit<ToolInput<Name>, "session_id" | "project"> & {
  readonly [Field in Extract<keyof ToolInput<Name>, "session_id" | "project">]?: ToolInput<Name>[Field]
}

/** The methods of a handle: `session_id` and `project` are filled in, explicit values win. */
export type SessionToolMethods = {
  readonly [Name in SessionToolName]: NoRequired<Filled<Name>> extends true
    ? (input?: Filled<Name>, options?: CallOptions) => Promise<ToolOutput<Name>>
    : (input: Filled<Name>, options?: CallOptions) => Promise<ToolOutput<Name>>
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
  /** Changes of the Session's board as they come; what is looked at is never recorded. */
  messages(options?: ObserveMessagesOptions): MessageChanges
  /** Closes the Session; final. */
  close(options?: CallOptions): Promise<ToolOutput<"close_session">>
}

/** Makes a frozen handle; `record` also records its calls in the Session as provenance. */
export function createSessionHandle(
  tools: ToolMethods,
  { ref, record }: { readonly ref: SessionRef; readonly record: boolean },
): SessionHandle {
  const { session_id: id, project } = ref
  return Object.freeze({
    id,
    project,
    tools: createToolMethods<SessionToolMethods>((name, input, options) =>
      Reflect.get(tools, name)(
        {
          session_id: id,
          ...(project === undefined || holdsName(TOOLS_WITHOUT_PROJECT, name) ? {} : { project }),
          ...input,
        },
        record ? { recordingSessionId: id, ...options } : options,
      ),
    ),
    messages: (options?: ObserveMessagesOptions) => observeMessages(tools, id, options),
    close: (options?: CallOptions) => tools.close_session({ session_id: id }, options),
  })
}
