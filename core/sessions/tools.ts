import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { outlasts } from "../kernel/pipeline/time-limit.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { signalBoard } from "../messages/signal.ts"
import { requireRegistered } from "../projects/registered.ts"
import { closeRows, endProcesses } from "../shells/close.ts"
import type { Shell } from "../shells/record.ts"
import { type ClosedSession, closedSessionSchema, closeSession } from "./close.ts"
import { checkContext, executionContextInputSchema } from "./context.ts"
import { createSession } from "./create.ts"
import { contextFacts } from "./facts.ts"
import { listSessionsTool } from "./list-tool.ts"
import { readSession } from "./read.ts"
import { sessionSummarySchema, summarise } from "./summary.ts"
import { titleInputSchema } from "./title.ts"
import { updateSessionContext } from "./update-context-tool.ts"
import { projectOf, sessionView, sessionViewSchema } from "./view.ts"

/** More events than a Session can have; a bound for the published schema. */
const MAX_SEQ = 2_147_483_647
/** How long a close waits for the end of its Session's shell (spec sessions.md §6). */
const RELEASE_MS = 5000
const sessionId = sessionIdSchema.describe("The Workflow Session.")

/** `start_session` (spec sessions.md §6). */
export const startSession = defineTool({
  name: "start_session",
  title: "Start a Session",
  description:
    "Starts a new Workflow Session, with or without a Project, and returns its id. Nothing selects it later but that id. With deny_write_tools alone a shell can still write.",
  category: "session",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Project slug; left out for a Session without a Project.").optional(),
    title: titleInputSchema.describe("One line that says what the work is.").optional(),
    mode: z.enum(["normal", "read_only"]).default("normal").describe("read_only refuses writing and executing tools."),
    guards: z
      .strictObject({
        deny_write_tools: z.boolean().default(false).describe("Refuse tools that change the workspace."),
        deny_shell_tools: z.boolean().default(false).describe("Refuse tools that run commands."),
      })
      .describe("What a normal Session refuses: writing tools, shell tools.")
      .optional(),
    execution_context: executionContextInputSchema.describe("Defaults of commands; needs a Project.").optional(),
  }),
  output: sessionViewSchema,
  effect: "mutate",
  mutates: "session",
  destructive: false,
  openWorld: false,
  idempotency: "none",
  risk: "none",
  scopes: ["session:collaborate"],
  target: { project: "optional", session: "none", chat: "none" },
  recordsBusiness: false,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
  deadline: "short",
  surfaces: [],
  record: {
    input: (input) => ({
      mode: input.mode,
      deny_write_tools: input.guards?.deny_write_tools ?? false,
      deny_shell_tools: input.guards?.deny_shell_tools ?? false,
      project_present: input.project !== undefined,
      title_chars: [...(input.title ?? "")].length,
      ...contextFacts(input.execution_context),
    }),
    evidence: (result) => ("output" in result ? { state_changed: true } : {}),
  },
  reduce: [{ at: "execution_context.default_cwd", kind: "text", min: 500 }],
  verbatim: ["session_id"],
  async handler(input, call) {
    const context = checkContext(input.execution_context ?? {})
    const project = call.project === undefined ? undefined : requireRegistered(call.project)
    return await call.commit(async (tx) => {
      const { sessionId, title, mode, guards } = await createSession(tx, call, {
        ...(project === undefined ? {} : { projectPk: project.pk }),
        ...(input.title === undefined ? {} : { title: input.title.trim() }),
        ...(input.guards === undefined ? {} : { guards: input.guards }),
        mode: input.mode,
        context,
      })
      await call.ports.ledger.append(tx, sessionId, [
        {
          kind: "session_started",
          at: call.now(),
          door: call.door,
          ...(project === undefined ? {} : { project: project.slug }),
          ...(title === undefined ? {} : { title }),
          mode,
          guards,
          execution_context: context,
        },
      ])
      const session = await readSession(tx, sessionId)
      return sessionView(session, await projectOf(tx, session))
    })
  },
})

/** `session_summary` (spec sessions.md §6). */
export const sessionSummary = defineTool({
  name: "session_summary",
  title: "Summarise a Session",
  description:
    "Shows one Workflow Session: mode, guards, defaults, counts over its retained ledger, calls in flight, and its newest events. Reading appends nothing.",
  category: "session",
  input: z.strictObject({
    session_id: sessionId,
    limit: z.int().min(0).max(200).default(50).describe("Most events to return."),
    before_seq: z.int().min(1).max(MAX_SEQ).describe("Only events with a smaller seq.").optional(),
  }),
  output: sessionSummarySchema,
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["runtime:read"],
  target: { project: "none", session: "required", chat: "none" },
  recordsBusiness: false,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
  deadline: "short",
  surfaces: [],
  record: {
    input: (input) => ({ limit: input.limit }),
    output: (output) => ({
      returned: output.events_returned,
      events_truncated: output.events_truncated,
      retention_truncated: output.retention_truncated,
    }),
  },
  reduce: [
    { at: "events", kind: "list", min: 0 },
    { at: "open_calls.items", kind: "list", min: 0 },
    { at: "execution_context.default_cwd", kind: "text", min: 500 },
  ],
  verbatim: ["session_id", "open_calls.items[].call_id"],
  async handler(input, call) {
    return await call.ports.store.read((tx) =>
      summarise(tx, call, {
        sessionId: input.session_id,
        limit: input.limit,
        ...(input.before_seq === undefined ? {} : { beforeSeq: input.before_seq }),
      }),
    )
  },
})

/** `close_session` (spec sessions.md §6). */
export const closeSessionTool = defineTool({
  name: "close_session",
  title: "Close a Session",
  description:
    "Closes a Workflow Session for good; a repeat says already_closed. Its live shell is closed too; calls in flight and running Jobs are reported and go on.",
  category: "session",
  input: z.strictObject({ session_id: sessionId }),
  output: closedSessionSchema,
  effect: "mutate",
  mutates: "session",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["session:collaborate"],
  target: { project: "none", session: "required", chat: "none" },
  whileClosed: true,
  recordsBusiness: false,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
  deadline: "short",
  surfaces: [],
  record: {
    output: (output) => ({
      already_closed: output.already_closed,
      ack_required_open: output.ack_required_open,
      open_calls: output.open_calls,
      running_jobs: output.running_jobs,
    }),
    evidence: (result) => ("output" in result ? { state_changed: !result.output.already_closed } : {}),
  },
  reduce: [],
  verbatim: ["session_id", "shell.shell_id"],
  async handler(input, call): Promise<ClosedSession> {
    const shells: Shell[] = []
    const closed = await call.commit(async (tx) => {
      const end = { reason: "session_closed", at: call.now() } as const
      shells.push(...(await closeRows(tx, { sessionId: input.session_id }, end)))
      return closeSession(tx, call, input.session_id)
    })
    // Closing ends the waits for its board.
    if (!closed.already_closed) signalBoard(call, input.session_id)
    const [shell] = shells
    if (shell === undefined) return closed
    const release = { clock: call.ports.clock, remainingMs: () => RELEASE_MS, quickTurns: 0 }
    const isLate = await outlasts(endProcesses(call.ports, shells), release)
    return { ...closed, shell: { shell_id: shell.shellId, state: isLate ? "closing" : "closed" } }
  },
})

/** The Workflow Session tools in catalogue order (spec sessions.md §6). */
export const sessionTools = [
  startSession,
  sessionSummary,
  listSessionsTool,
  updateSessionContext,
  closeSessionTool,
] as const
