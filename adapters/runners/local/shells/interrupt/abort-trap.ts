import { constants } from "node:os"
import { platform } from "node:process"
import type { Dialect } from "../../../../../core/shells/record.ts"
import type { SpareSignal } from "./types.ts"

const LINUX_STKFLT = 16
const DARWIN_INFO = 29

/** The signal that nothing else uses: the abort trap listens to it (spec shells.md §5.5). */
export const spareSignal = (): SpareSignal => (platform === "darwin" ? "SIGINFO" : "SIGSTKFLT")

/** The name of the signal of that number, wherever it is used. */
export const spareSignalName = (number: number): SpareSignal => (number === DARWIN_INFO ? "SIGINFO" : "SIGSTKFLT")

/** Words for a shell elsewhere that set `hf_spare` to the number of the signal there. */
export const SPARE_PROBE = `hf_spare=${LINUX_STKFLT}
[ "$(kill -l ${DARWIN_INFO} 2>/dev/null)" = INFO ] && hf_spare=${DARWIN_INFO}`

/** Its number here; a plain sh need not know the name. */
export function spareSignalNumber(): number {
  if (spareSignal() === "SIGINFO") return constants.signals.SIGINFO ?? DARWIN_INFO
  return constants.signals.SIGSTKFLT ?? LINUX_STKFLT
}

/**
 * Action of the abort trap. In bash it ends the text being sourced and nothing else: the guard keeps it from acting while
 * nothing is sourced, which would crash bash 5.2; `-` for `set -u`, the backslashes against aliases. Its stderr goes nowhere,
 * since `set -x` would show it to the user; it acts all the same where nothing can be redirected. A plain sh cannot leave a
 * sourced text but by ending, of which its EXIT action makes a snapshot first.
 */
export const abortAction = (dialect: Dialect): string =>
  dialect === "bash" ? `{ ${INTERRUPT_SELF} } 2>/dev/null || { ${INTERRUPT_SELF} }` : "\\exit 130"

const INTERRUPT_SELF = `[[ \${BASH_SOURCE[0]-} ]] && { \\builtin trap - INT; \\builtin kill -INT $$; };`
