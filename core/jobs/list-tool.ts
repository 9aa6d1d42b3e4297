import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { listJobs } from "./list.ts"
import { readDefinition } from "./read-definition.ts"
import { JOB_STATUSES } from "./record.ts"
import { listedJobSchema } from "./status-view.ts"

const MAX_JOBS = 100

/** What a list of Jobs is asked with (spec exec-and-jobs.md §7.4). */
export const listJobsInputSchema = z.strictObject({
  project: textSchema(1, 64).describe("Only Jobs of this Project.").optional(),
  session_id: sessionIdSchema.describe("Only Jobs of this Session.").optional(),
  shell_id: textSchema(1, 160).describe("Only commands of this live shell.").optional(),
  status: z
    .array(z.enum(["active", ...JOB_STATUSES]))
    .min(1)
    .max(4)
    .describe("Only these states; active: queued, running, recovering.")
    .optional(),
  include_quick: z.boolean().default(false).describe("Also Jobs whose call saw their end."),
  limit: z.int().min(1).max(MAX_JOBS).default(20).describe("Most Jobs to return."),
  cursor: textSchema(1, 256).describe("next_cursor of the page before, with the same filters.").optional(),
})

/** A page of Jobs. */
export const listJobsOutputSchema = z.object({
  jobs: z.array(listedJobSchema).max(MAX_JOBS),
  total: z.number().int().min(0).describe("Jobs that match, on all pages."),
  next_cursor: textSchema(1, 256).describe("Cursor of the next page.").optional(),
})

/** `list_jobs` (spec exec-and-jobs.md §7.4). */
export const listJobsTool = defineTool({
  ...readDefinition,
  name: "list_jobs",
  title: "List Jobs",
  description:
    "Lists the caller's own Jobs, newest first, filtered by Project, Session, live shell and state. Jobs whose call saw their end are left out unless include_quick is set.",
  input: listJobsInputSchema,
  output: listJobsOutputSchema,
  target: { project: "optional", session: "none", chat: "none" },
  foreign: ["session_id"],
  activity: "enumerate",
  deadline: "short",
  surfaces: [],
  record: {
    input: (input) => ({
      limit: input.limit,
      include_quick: input.include_quick,
      status_present: input.status !== undefined,
    }),
    output: (output) => ({ returned: output.jobs.length, total: output.total }),
  },
  reduce: [{ at: "jobs", kind: "list", min: 0 }],
  verbatim: ["jobs[].job_id", "jobs[].session_id", "next_cursor"],
  handler: (input, call) => listJobs(call, input),
})
