import type { WorkflowSession } from "../../sessions/record.ts"

/** How a Session takes part in a call: provenance only, or the place of work (spec kernel.md §4 Roles). */
export type Role = "recorder" | "business"

/** A Session in its role. */
export interface RoleSession {
  readonly role: Role
  readonly session: WorkflowSession
}

/** The Sessions of a call with their roles, the business one first, as lifecycle and guards are checked. */
export function rolesOf(targets: {
  readonly recorder: WorkflowSession | undefined
  readonly business: WorkflowSession | undefined
}): readonly RoleSession[] {
  const { recorder, business } = targets
  if (recorder === undefined && business === undefined) return NO_ROLES
  return [
    ...(business === undefined ? [] : [{ role: "business", session: business } as const]),
    ...(recorder === undefined ? [] : [{ role: "recorder", session: recorder } as const]),
  ]
}

const NO_ROLES: readonly RoleSession[] = Object.freeze([])
