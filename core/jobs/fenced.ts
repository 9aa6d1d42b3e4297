import { match } from "ts-pattern"
import type { Call } from "../kernel/call.ts"
import { isToolError } from "../kernel/error.ts"
import { auditBlocked } from "../shells/audit-log/one-shots.ts"
import { checkFence, checkProgram, type FenceDenial, fenceDenied } from "../shells/fence/check-fence.ts"
import type { FencePolicy } from "../shells/fence/policy.ts"
import type { StartCommand } from "./command.ts"
import type { JobRunner } from "./runner.ts"

/** What is found out about a place before the fence is asked (spec exec-and-jobs.md §2). */
const BEFORE_FENCE: ReadonlySet<string> = new Set(["workspace_missing", "cwd_invalid", "runner_unavailable"])

type Place = Parameters<JobRunner["admit"]>[0]
type Admitted = Awaited<ReturnType<JobRunner["admit"]>>

/**
 * Asks the Runner whether the command could start, and the operator's fence whether it may: after the place, before
 * program and interpreter (spec exec-and-jobs.md §2). Throws `fence_denied`, which is audited, and what `admit` throws; nothing was
 * started.
 */
export async function admitFenced(
  call: Pick<Call, "ports" | "tool" | "project" | "session">,
  runner: Pick<JobRunner, "admit">,
  place: Place,
): Promise<Admitted> {
  const denial = denialOf(place.command, call.ports.shells.settings.fence)
  if (denial === undefined) return runner.admit(place)
  await runner.admit(place).catch((error: unknown) => {
    if (!isToolError(error) || BEFORE_FENCE.has(error.kind)) throw error
  })
  auditBlocked(call, { command: place.command, isRemote: place.reach !== undefined, denial })
  throw fenceDenied(denial)
}

/** A script of another language than a shell's holds no commands that a fence could read. */
function denialOf(command: StartCommand, fence: FencePolicy): FenceDenial | undefined {
  return match(command)
    .with({ kind: "process" }, ({ executable, args }) => checkProgram([executable, ...args], fence))
    .with({ kind: "shell" }, ({ text }) => checkFence(text, fence))
    .with({ kind: "script", language: "sh" }, { kind: "script", language: "bash" }, ({ text }) =>
      checkFence(text, fence),
    )
    .with({ kind: "script" }, () => undefined)
    .exhaustive()
}
