/** The process that starts and reads all local processes of a data directory (table `runner_hosts`, spec shells.md §2.1). */
export interface RunnerHost {
  readonly hostId: string
  readonly pid: number
  /** Start time of the pid as the operating system counts it, so that a recycled pid is recognised. */
  readonly pidStartedAt: string
  readonly bootId: string
  /** Its private directory. */
  readonly runtime: string
  readonly socket: string
  /** Version of what is spoken over the socket. */
  readonly protocol: number
  /** Of the package. */
  readonly version: string
  readonly startedAt: number
}

/** The one row of the data directory's Runner host, inside the caller's transaction; it is the lock. */
export interface RunnerHostStore {
  current(): Promise<RunnerHost | undefined>
  /** Becomes the holder if there is none; `false` otherwise. */
  claim(host: RunnerHost): Promise<boolean>
  /** Takes the row over from the holder of this id: a dead one's, or the holder's own with new facts; `false` when it is another's by now. */
  replace(heldBy: string, host: RunnerHost): Promise<boolean>
  /** Gives the row up; `false` when it is another's. */
  release(hostId: string): Promise<boolean>
}
