import type { Facts } from "../ledger/events.ts"
import type { ExecutionContextInput } from "./context.ts"

/** Which defaults a call set, never their values (spec sessions.md §6). */
export function contextFacts(context: ExecutionContextInput | undefined): Facts {
  return {
    default_cwd_present: context?.default_cwd !== undefined,
    default_shell_present: context?.default_shell !== undefined,
    resource_present: context?.resource !== undefined,
  }
}
