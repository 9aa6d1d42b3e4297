import type { RestartReason } from "../../../../../core/shells/record.ts"
import type { DeathFacts } from "./types.ts"

/**
 * Why a shell goes on in a new process (spec shells.md §5.6): what the host did itself, then how the process ended, then
 * what it left behind. In bash 5 `BASH_COMMAND` names the sourcing line at every end of a sourced text, so that `exit`
 * and `errexit` are told apart by whether the text was still being sourced and by the word `exit` in it.
 */
export function restartReason(facts: DeathFacts): RestartReason {
  if (facts.replaced !== undefined) return facts.replaced
  if (facts.hostLost === true || isUnseen(facts)) return "host_lost"
  const signal = facts.exit?.signal ?? null
  if (!facts.busy) return signal === null && facts.exitWrite !== undefined ? "exited" : "killed_outside"
  if (signal !== null) return "signaled"
  if (facts.exitWrite !== undefined) return endedByErrexit(facts) ? "errexit" : "exited"
  return setsExitTrap(facts) || ranOutOfMemory(facts) ? "exited" : "exec"
}

/** Nobody was told how it ended: the host that would have been died before. */
const isUnseen = ({ exit, exitWrite }: DeathFacts): boolean =>
  exit !== undefined && exit.code === null && exit.signal === null && exitWrite === undefined

function endedByErrexit({ exit, exitWrite, text = "" }: DeathFacts): boolean {
  if (exitWrite?.errexit !== true || exit?.code === 0) return false
  return exitWrite.unwound || !/\bexit\b/.test(text)
}

/**
 * A bash that gets no memory, as under `ulimit -v`, says so and leaves with 2 at once, without any trap. A text that replaces the
 * process names `exec`, unless a function of the user's does it, with a program that ends with 2 as well.
 */
const ranOutOfMemory = ({ exit, text = "" }: DeathFacts): boolean => exit?.code === 2 && !/\bexec\b/.test(text)

/** A trap of the user's may have kept our action from running. */
const setsExitTrap = ({ text = "", knownExitTrap }: DeathFacts): boolean => knownExitTrap || /\btrap\b/.test(text)
