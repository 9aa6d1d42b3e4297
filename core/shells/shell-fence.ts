import type { Call } from "../kernel/call.ts"
import { checkFence, fenceDenied } from "./fence/check-fence.ts"
import { shellFenceSchema, withShellFence } from "./fence/policy.ts"
import type { Shell } from "./record.ts"

/** The operator's fence and what the shell brought along (spec shells.md §8). Throws `fence_denied`; it is audited. */
export function requireInsideFence({ ports }: Pick<Call, "ports">, shell: Shell, text: string): void {
  const { settings, log } = ports.shells
  const own = shell.fenceJson === undefined ? undefined : shellFenceSchema.parse(JSON.parse(shell.fenceJson))
  const denial = checkFence(text, withShellFence(settings.fence, own))
  if (denial === undefined) return
  const { rule, program } = denial
  log.note(shell, { event: "blocked", command: text, rule, ...(program === undefined ? {} : { program }) })
  throw fenceDenied(denial)
}
