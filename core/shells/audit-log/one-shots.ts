import type { StartCommand } from "../../jobs/command.ts"
import type { StartedCall } from "../../jobs/execute.ts"
import type { StartOutput } from "../../jobs/output-schema.ts"
import type { RunFacts } from "../../jobs/runner.ts"
import { startOutput } from "../../jobs/start-output.ts"
import { asEnded, endOf } from "../../jobs/states.ts"
import type { Call } from "../../kernel/call.ts"
import type { FenceDenial } from "../fence/check-fence.ts"
import type { AuditedOneShot } from "./command-log.ts"
import { noteLaterEnd } from "./later-end.ts"

type AuditedCall = Pick<Call, "ports" | "tool" | "project" | "session">

/** Logs a command that the fence refused before it could start (spec shells.md §8). */
export function auditBlocked(
  call: AuditedCall,
  {
    command,
    isRemote,
    denial,
  }: { readonly command: StartCommand; readonly isRemote: boolean; readonly denial: FenceDenial },
): void {
  const { rule, program } = denial
  const refused = { event: "blocked" as const, command, rule, ...(program === undefined ? {} : { program }) }
  call.ports.shells.log.noteOneShot(whereOf(call, isRemote), refused)
}

/** Logs a command whose end its call saw (spec shells.md §13). */
export function auditEnd({ call, execution, job }: StartedCall, result: StartOutput): void {
  const { command } = execution
  call.ports.shells.log.noteOneShot(whereOf(call, job.target !== "local"), { event: "exec", command, result })
}

/** Logs a command as it stands while its call stops waiting, and once more with its end. */
export function auditHandOver(started: StartedCall, { revision: from }: RunFacts, result: StartOutput): void {
  const { call, runner, job } = started
  auditEnd(started, result)
  noteLaterEnd(call.ports.shells.log, {
    ended: () => runner.watch(job.jobId, { from, until: "end" }),
    async note(facts) {
      const value = endOf(facts, call.now())
      const ended = (value && asEnded(job, value)) ?? job
      auditEnd(started, (await startOutput(started, ended, facts)).output)
    },
  })
}

function whereOf({ tool, project, session }: AuditedCall, isRemote: boolean): AuditedOneShot {
  return {
    tool,
    transport: isRemote ? "ssh" : "local",
    ...(session === undefined ? {} : { sessionId: session.sessionId }),
    ...(project === undefined ? {} : { project: project.slug }),
  }
}
