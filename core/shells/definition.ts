/** What opening a shell and running in it have in common, whoever owns it (spec kernel.md §8). */
export const executing = {
  category: "shell",
  effect: "execute",
  destructive: false,
  openWorld: true,
  idempotency: "none",
  risk: "shell",
  scopes: ["job:run"],
  expectation: [],
  activity: "execute",
  deadline: "handover",
} as const

/** What closing one has in common: it only ends what Holdfast started, so nothing of a Session or Project refuses it. */
export const closing = {
  category: "shell",
  effect: "mutate",
  mutates: "session",
  destructive: true,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["job:run"],
  whileClosed: true,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
  deadline: "wait",
} as const

/** Free shells belong to no Session and no Project. */
export const unbound = { project: "none", session: "none", chat: "optional" } as const

/** Bound ones to one of each. */
export const bound = { project: "required", session: "required", chat: "optional" } as const
