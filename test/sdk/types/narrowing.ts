// Checked by tsc alone (test/sdk/types.test.ts): what a program may and may not write (D53).
import type { HoldfastClient, ToolOutput, ToolResult } from "../../../sdk/index.ts"
import type { Equal } from "./tool-types.ts"

export async function methods(client: HoldfastClient, project: string): Promise<void> {
  await client.tools.list_projects()
  await client.tools.runtime_status({}, { timeoutMs: 5_000 })
  await client.tools.run_shell({ project, command: "true" })
  // @ts-expect-error a field that the tool does not have
  await client.tools.run_shell({ project, command: "true", comand: "x" })
  // @ts-expect-error a misspelt required field
  await client.tools.run_shell({ project, comand: "x" })
  // @ts-expect-error an input that requires something cannot be left out
  await client.tools.run_shell()
  // @ts-expect-error a tool that takes nothing
  await client.tools.runtime_status({ any: 1 })
  // @ts-expect-error no such tool
  await client.tools.run_shel({ project, command: "true" })
  // @ts-expect-error a wrapper field is a call option
  await client.tools.run_shell({ project, command: "true", recording_session_id: "wc_sess_0000000000000000" })
  // @ts-expect-error not a value of the enum
  await client.tools.run_shell({ project, command: "true", shell: "zsh" })
}

export async function sessions(client: HoldfastClient): Promise<void> {
  const session = client.session(await client.tools.start_session({ project: "demo" }))
  await session.tools.git_status()
  await session.tools.run_shell({ command: "true" })
  // @ts-expect-error what is not filled in is still required
  await session.tools.run_shell()
  // @ts-expect-error a tool without a Session
  await session.tools.list_projects()
}

export async function results(client: HoldfastClient, project: string): Promise<number> {
  const result = await client.call("run_shell", { project, command: "true" })
  if (result.success) {
    const none: undefined = result.error
    return result.output.duration_ms + (none ?? 0)
  }
  // @ts-expect-error the output beside an error is not the promised one
  result.output.duration_ms
  const kind: string = result.error.kind
  return kind.length
}

type Outcome = NonNullable<ToolOutput<"run_shell">["outcome"]>

/** A union of outcomes is told apart by its `kind`. */
export function exitCode(outcome: Outcome): number | string {
  switch (outcome.kind) {
    case "exited":
      return outcome.exit_code
    case "signaled":
      return outcome.signal
    case "timed_out":
      return outcome.after_ms
    case "cancelled":
      return outcome.by
    case "lost":
    case "unknown":
      return outcome.reason
    default:
      return outcome satisfies never
  }
}

export const oneUnionEverywhere: [
  Equal<NonNullable<ToolOutput<"job_log">["outcome"]>, Outcome>,
  Equal<NonNullable<ToolOutput<"stop_job">["outcome"]>, Outcome>,
] = [true, true]

/** The branch that does not hold is `never`. */
export function attempt(result: ToolResult<"close_session">): string {
  return result.success ? result.output.session_id : result.error.message
}

type LedgerEvent = ToolOutput<"session_summary">["events"][number]

/** Events are told apart by their `kind`. */
export function callOf(event: LedgerEvent): string | undefined {
  return event.kind === "tool_call_started" || event.kind === "tool_call_finished" ? event.call_id : undefined
}
