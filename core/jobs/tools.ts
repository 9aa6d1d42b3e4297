import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { jobIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { listJobsTool } from "./list-tool.ts"
import { readLog, timeUp } from "./log.ts"
import { logQuery } from "./log-query.ts"
import { logInputSchema, logOutputSchema, observeInputSchema, observeOutputSchema } from "./log-schema.ts"
import { logChars, observeJobs } from "./observe.ts"
import { readDefinition } from "./read-definition.ts"
import { runDetachedProcess } from "./run-detached-process.ts"
import { runJob } from "./run-job.ts"
import { runProcess } from "./run-process.ts"
import { runScript } from "./run-script.ts"
import { runShell } from "./run-shell.ts"
import { jobStatusTool } from "./status.ts"
import { stopJob, stopOutputSchema } from "./stop.ts"

const jobLog = defineTool({
  ...readDefinition,
  name: "job_log",
  title: "Read a Job's output",
  description:
    "Reads the stored output of one Job: its last lines, lines or bytes from a place on, lines that match a pattern, or what is new since a token; it can wait for more.",
  input: logInputSchema,
  output: logOutputSchema,
  deadline: "wait",
  surfaces: ["coding", "shell"],
  reduce: [
    { at: "stdout.matches", kind: "list", min: 0 },
    { at: "stderr.matches", kind: "list", min: 0 },
    { at: "stdout.text", kind: "text", min: 200 },
    { at: "stderr.text", kind: "text", min: 200 },
    { at: "stdout.base64", kind: "text", min: 200 },
    { at: "stderr.base64", kind: "text", min: 200 },
    { at: "outcome.then.survivors", kind: "list", min: 0 },
  ],
  verbatim: ["job_id", "observation_token"],
  handler(input, call) {
    const { job_id: jobId, wait_secs, wake_on: wakeOn } = input
    return readLog(call, {
      jobId,
      query: logQuery(input),
      maxChars: logChars(call, 1),
      until: timeUp(call),
      ...(wait_secs === undefined ? {} : { wait: { waitMs: wait_secs * 1000, wakeOn } }),
    })
  },
})

const observeJobsTool = defineTool({
  ...readDefinition,
  name: "observe_jobs",
  title: "Look at several Jobs",
  description:
    "Shows state and newest output of up to 8 Jobs, or what is new since a token each, and can wait for the first that has something. An unknown Job does not fail the others.",
  input: observeInputSchema,
  output: observeOutputSchema,
  deadline: "wait",
  surfaces: ["coding", "shell"],
  reduce: [
    { at: "results[].stdout.text", kind: "text", min: 20 },
    { at: "results[].stderr.text", kind: "text", min: 20 },
    { at: "results[].stdout.gap", kind: "drop", min: 0 },
    { at: "results[].stderr.gap", kind: "drop", min: 0 },
    { at: "results[].outcome", kind: "drop", min: 0 },
  ],
  verbatim: ["results[].job_id", "results[].observation_token"],
  handler: (input, call) => observeJobs(call, input),
})

const stopJobTool = defineTool({
  name: "stop_job",
  title: "Stop a Job",
  description:
    "Ends one Job with every process it started, or what a finished one left in the background, and says what became of it. Asked again for a finished Job it changes nothing.",
  category: "job",
  input: z.strictObject({
    job_id: jobIdSchema.describe("The Job."),
    project: textSchema(1, 64).describe("Its Project, as a check.").optional(),
    confirm: z.boolean().default(false).describe("true, or nothing is stopped."),
    grace_secs: z.int().min(0).max(30).default(2).describe("Time between SIGTERM and SIGKILL."),
  }),
  output: stopOutputSchema,
  effect: "execute",
  destructive: true,
  openWorld: false,
  idempotency: "natural",
  risk: "job",
  scopes: ["job:run"],
  target: { project: "optional", session: "none", chat: "none" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  deadline: "wait",
  surfaces: ["coding", "shell"],
  record: {
    input: ({ grace_secs }) => ({ grace_secs }),
    output: ({ status, already_finished, already_stop_requested, survivors }) => ({
      status,
      already_finished,
      already_stop_requested,
      survivor_count: survivors.length,
    }),
    evidence: (result) => ("output" in result ? { state_changed: !result.output.already_finished } : {}),
    jobId: ({ job_id }) => job_id,
  },
  reduce: [
    { at: "survivors", kind: "list", min: 1 },
    { at: "outcome.then.survivors", kind: "list", min: 1 },
  ],
  verbatim: ["job_id"],
  handler: ({ job_id: jobId, confirm, grace_secs }, call) =>
    stopJob(call, { jobId, confirm, graceMs: grace_secs * 1000 }),
})

/** The tools of executions and Jobs (spec exec-and-jobs.md), in catalogue order. */
export const jobTools = [
  runProcess,
  runScript,
  runShell,
  runJob,
  runDetachedProcess,
  jobLog,
  observeJobsTool,
  jobStatusTool,
  listJobsTool,
  stopJobTool,
] as const
