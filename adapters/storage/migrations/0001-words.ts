/** The execution states of the foundation's tables (spec kernel.md §6). */
export const EXECUTION_STATES = [
  "not_started",
  "running",
  "completed",
  "timed_out",
  "cancelled",
  "outcome_unknown",
] as const
