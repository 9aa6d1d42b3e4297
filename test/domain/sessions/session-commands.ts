import fc from "fast-check"
import type { Harness } from "../../support/harness.ts"

/** One random thing that an agent does; `session` and `recorder` are places in the list of Sessions, taken modulo its length. */
export type SessionCommand =
  | {
      readonly kind: "start"
      readonly mode: "normal" | "read_only"
      readonly denyWrite: boolean
      readonly denyShell: boolean
    }
  | { readonly kind: "context"; readonly session: number; readonly cwd: string | undefined }
  | { readonly kind: "close"; readonly session: number }
  | {
      readonly kind: "call"
      readonly tool: "t_read" | "t_edit" | "t_run"
      readonly session: number
      readonly recorder: number | undefined
      readonly fail: boolean
    }
  | { readonly kind: "resume"; readonly session: number; readonly mode: "normal" | "read_only" | undefined }
  | { readonly kind: "look"; readonly session: number; readonly recorder: number | undefined }

const session = fc.nat(7)
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })

/** Random commands; most are calls. */
export const sessionCommand: fc.Arbitrary<SessionCommand> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("start" as const),
      mode: fc.constantFrom("normal" as const, "read_only" as const),
      denyWrite: fc.boolean(),
      denyShell: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("context" as const), session, cwd: maybe(fc.constantFrom("a", "b/c")) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), session }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      tool: fc.constantFrom("t_read" as const, "t_edit" as const, "t_run" as const),
      session,
      recorder: maybe(session),
      fail: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("resume" as const),
      session,
      mode: maybe(fc.constantFrom("normal" as const, "read_only" as const)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("look" as const), session, recorder: maybe(session) }) },
)

/** The call of a command in Project `a`; none where it needs a Session and there is none. */
export function callOf(
  command: SessionCommand,
  sessions: readonly string[],
): { readonly tool: string; readonly input: object; readonly recorder?: string } | undefined {
  const at = (place: number): string => sessions[place % sessions.length] ?? ""
  if (command.kind === "start") {
    const guards = { deny_write_tools: command.denyWrite, deny_shell_tools: command.denyShell }
    return { tool: "start_session", input: { project: "a", mode: command.mode, guards } }
  }
  if (sessions.length === 0) return undefined
  const session_id = at(command.session)
  switch (command.kind) {
    case "context": {
      const execution_context = command.cwd === undefined ? {} : { default_cwd: command.cwd }
      return { tool: "update_session_context", input: { project: "a", session_id, execution_context } }
    }
    case "close":
      return { tool: "close_session", input: { session_id } }
    case "call": {
      const recorder = command.recorder === undefined ? {} : { recorder: at(command.recorder) }
      return { tool: command.tool, input: { session_id, paths: ["f"], fail: command.fail }, ...recorder }
    }
    case "resume": {
      const session_mode = command.mode === undefined ? {} : { session_mode: command.mode }
      return { tool: "work_on_project", input: { project: "a", session_id, instruction: "go on", ...session_mode } }
    }
    case "look": {
      const recorder = command.recorder === undefined ? {} : { recorder: at(command.recorder) }
      return { tool: "session_summary", input: { session_id, limit: 5 }, ...recorder }
    }
  }
}

/** Runs a command through a kernel; the id of the Session it made, if it made one. */
export async function run(
  kernel: Harness,
  command: SessionCommand,
  sessions: readonly string[],
): Promise<string | undefined> {
  const call = callOf(command, sessions)
  if (call === undefined) return undefined
  const { tool, input, recorder } = call
  const { result } = await kernel.call(tool, input, recorder === undefined ? {} : { recorder })
  if (!result.success && UNEXPECTED.has(result.error.kind)) {
    throw new Error(`${tool}: ${JSON.stringify(result.error)}`, { cause: kernel.telemetry.faults.at(-1) })
  }
  return tool === "start_session" && result.success ? String(Reflect.get(result.output, "session_id")) : undefined
}

const UNEXPECTED: ReadonlySet<string> = new Set(["internal_error", "storage_unavailable", "invalid_arguments"])
