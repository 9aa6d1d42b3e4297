import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { jobIdSchema, type ShellUid } from "../kernel/ids.ts"
import { unbound } from "./definition.ts"
import { shellStateSchema } from "./exec-schema.ts"
import { shellsOf } from "./find.ts"
import { DIALECTS, type Shell } from "./record.ts"
import type { ShellFacts } from "./runner.ts"

const MAX_LISTED = 512

/** The command that runs in a shell now. */
export const runningSchema = z.object({ job_id: jobIdSchema, running_ms: z.number() })

const listed = z.object({
  session_id: z.string().max(200),
  transport: z.enum(["local", "ssh", "docker"]),
  idle_secs: z.number(),
  state: shellStateSchema,
  busy: z.boolean(),
  running: runningSchema.optional(),
  waiting: z.number().int(),
  background: z.number().int(),
  shell: z.enum(DIALECTS),
  cwd: z.string().max(4096),
  generation: z.number().int(),
  created_at: z.number(),
})

/** `session_list` (spec shells.md §10). */
export const sessionList = defineTool({
  name: "session_list",
  title: "List free shells",
  description: "Lists the live free shells of the caller, oldest first, with what runs in them.",
  category: "shell",
  input: z.strictObject({}),
  output: z.object({ sessions: z.array(listed).max(MAX_LISTED) }),
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["job:run"],
  target: unbound,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  deadline: "short",
  surfaces: ["shell"],
  record: { output: ({ sessions }) => ({ shells: sessions.length }) },
  reduce: [
    { at: "sessions[].cwd", kind: "text", min: 200 },
    { at: "sessions", kind: "list", min: 1 },
  ],
  verbatim: ["sessions[].session_id"],
  async handler(_, call) {
    const filter = { family: "free", ownerPrincipal: call.principal.id } as const
    const shells = await call.ports.store.read((tx) => tx.shells.live(filter))
    const known = new Map((await shellsOf(call).inventory()).map((facts) => [facts.shellUid, facts]))
    return { sessions: shells.map((shell) => listedShell(call, shell, known)) }
  },
})

function listedShell(
  call: Pick<Call, "now">,
  shell: Shell,
  known: ReadonlyMap<ShellUid, ShellFacts>,
): z.infer<typeof listed> {
  const facts = known.get(shell.shellUid)
  return {
    session_id: shell.shellId,
    transport: shell.target.kind,
    idle_secs: Math.floor(idleMs(call, shell, facts) / 1000),
    state: facts?.state ?? shell.state,
    ...standingOf(call, facts),
    waiting: facts?.waiting ?? 0,
    background: facts?.background.length ?? 0,
    shell: facts?.dialect ?? shell.dialect,
    cwd: facts?.cwd ?? shell.lastCwd ?? shell.initialCwd,
    generation: facts?.generation ?? shell.generation,
    created_at: shell.createdAt,
  }
}

/** How long nothing ran in it and nobody named it; 0 while busy. */
export function idleMs(call: Pick<Call, "now">, shell: Shell, facts: ShellFacts | undefined): number {
  if (facts?.running !== undefined) return 0
  return Math.max(0, call.now() - (facts?.lastUsedAt ?? shell.lastUsedAt))
}

/** Whether a command runs in it, and which. */
export function standingOf(call: Pick<Call, "now">, facts: ShellFacts | undefined) {
  const running = facts?.running
  if (running === undefined) return { busy: false }
  const running_ms = Math.max(0, call.now() - running.startedAt)
  return { busy: true, running: { job_id: running.jobId, running_ms } }
}
