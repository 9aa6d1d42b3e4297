import type { Call } from "../kernel/call.ts"
import { isToolError, ToolError } from "../kernel/error.ts"
import { type ShellSide, settleShell } from "./commit.ts"
import { endedError } from "./errors.ts"
import type { Shell } from "./record.ts"
import type { ShellClaim } from "./runner.ts"

/** What a command does while another one runs (spec shells.md §3). */
export interface ClaimRequest {
  readonly whenBusy: "wait" | "fail" | "detach"
}

/**
 * The right to run one command: first come first served, given up when the call has to answer (`shell_busy`) or its caller
 * cancels. Throws also what the shell has ended with, and what the Runner's `claim` throws.
 */
export async function claimShell(
  call: Call,
  runner: ShellSide,
  { shell, request }: { readonly shell: Shell; readonly request: ClaimRequest },
): Promise<ShellClaim> {
  const refusal = endedError(shell)
  if (refusal !== undefined) throw refusal
  const giveUp = new AbortController()
  const heed = (): void => {
    if (call.signal.reason !== "client_gone") giveUp.abort()
  }
  call.signal.addEventListener("abort", heed)
  if (call.signal.aborted) heed()
  const left = call.deadline.handoverAt - call.ports.clock.monotonic()
  const stopTimer = Number.isFinite(left) ? call.ports.clock.after(Math.max(0, left), () => giveUp.abort()) : undefined
  try {
    return await runner.shells.claim(shell.shellUid, { whenBusy: request.whenBusy, signal: giveUp.signal })
  } catch (error) {
    if (call.signal.reason === "client_cancelled" && isToolError(error) && error.kind === "shell_busy")
      throw cancelled()
    throw await refusalOf(call, runner, { shell, error })
  } finally {
    call.signal.removeEventListener("abort", heed)
    stopTimer?.()
  }
}

/** The row may know better than the host why the shell is over: it says who closed it. */
async function refusalOf(
  call: Call,
  runner: ShellSide,
  { shell, error }: { readonly shell: Shell; readonly error: unknown },
): Promise<unknown> {
  if (!isToolError(error) || error.kind === "shell_busy" || error.kind === "shell_cwd_lost") return error
  await settleShell(call.ports, runner, shell.shellUid)
  const row = await call.ports.store.read((tx) => tx.shells.byUid(shell.shellUid))
  return (row && endedError(row)) ?? error
}

function cancelled(): ToolError<"cancelled"> {
  return new ToolError("cancelled", "The caller cancelled this call before its command was started.", {
    details: { by: "caller" },
    executionState: "not_started",
  })
}
