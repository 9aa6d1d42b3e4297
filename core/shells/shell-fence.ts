import type { Call } from "../kernel/call.ts"
import { type FencePolicy, shellFenceSchema, withShellFence } from "./fence/policy.ts"
import type { Shell } from "./record.ts"

/** The operator's fence and what the shell brought along (spec shells.md §8). */
export function fenceOf({ ports }: Pick<Call, "ports">, { fenceJson }: Shell): FencePolicy {
  const { fence } = ports.shells.settings
  return fenceJson === undefined ? fence : withShellFence(fence, shellFenceSchema.parse(JSON.parse(fenceJson)))
}
