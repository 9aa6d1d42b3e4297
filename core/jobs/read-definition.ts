/** What all tools that look at Jobs state alike (spec exec-and-jobs.md §7). */
export const readDefinition = {
  category: "job",
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["runtime:read"],
  target: { project: "none", session: "none", chat: "none" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  record: {},
} as const
