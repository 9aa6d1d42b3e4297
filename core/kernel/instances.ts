import type { InstanceId } from "./ids.ts"

/** One server process of a data directory (table `instances`, spec kernel.md §15). Times are ms. */
export interface Instance {
  readonly instance: InstanceId
  readonly host: string
  readonly pid: number
  /** Start time of the pid as the operating system counts it, so that a recycled pid is recognised. */
  readonly pidStartedAt: string
  readonly startedAt: number
  readonly seenAt: number
}

export interface InstanceStore {
  insert(instance: Instance): Promise<void>
  renew(instance: InstanceId, seenAt: number): Promise<void>
  remove(instance: InstanceId): Promise<void>
  list(): Promise<readonly Instance[]>
}

/** Asks the operating system about processes of this host; `undefined` = cannot be known. */
export interface ProcessProbe {
  /** This process. */
  self(): { readonly host: string; readonly pid: number; readonly pidStartedAt: string }
  /** Whether pid and start time of an instance of this host are proven gone. */
  isGone(instance: Pick<Instance, "host" | "pid" | "pidStartedAt">): boolean
}
