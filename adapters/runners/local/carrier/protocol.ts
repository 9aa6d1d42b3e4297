/** Version of what is spoken over the socket; raised with every change that an older end would not understand. */
export const PROTOCOL = 1

/** What a server says first (spec shells.md §2.1). */
export interface Hello {
  readonly protocol: number
  /** Of the server's package. */
  readonly version: string
}

/** What the host answers. */
export interface Welcome {
  readonly protocol: number
  readonly version: string
  readonly hostId: string
  /** It was made for one Job and serves the shared host alone (spec exec-and-jobs.md §6.3). */
  readonly detached: boolean
  readonly bootId: string
  readonly pid: number
}
