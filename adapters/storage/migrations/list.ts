import { foundation } from "./0001-foundation.ts"
import { board } from "./0002-board.ts"
import { rewrittenEvents } from "./0003-rewritten-events.ts"
import { liveShells } from "./0004-shells.ts"
import { jobLists } from "./0005-job-lists.ts"
import { jobExpectations } from "./0006-job-expectations.ts"
import { openCallsByKey } from "./0007-open-calls.ts"
import { jobIndexes } from "./0008-job-indexes.ts"
import type { Migration } from "./migration.ts"

/** Every migration in order; a new one goes to the end with the next number. */
export const MIGRATIONS: readonly Migration[] = [
  foundation,
  board,
  rewrittenEvents,
  liveShells,
  jobLists,
  jobExpectations,
  openCallsByKey,
  jobIndexes,
]
