import { z } from "zod"
import { checkedEnvironment, invalidField } from "../jobs/environment.ts"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { executing, unbound } from "./definition.ts"
import { changeEvidence } from "./facts.ts"
import { programNamesSchema } from "./fence/policy.ts"
import { budgetJson, checkedBudget, cwdText, openFields } from "./fields.ts"
import { localRunner } from "./find.ts"
import { commitOpened, openShell } from "./open.ts"
import { asResolved, placeOfInput } from "./reach.ts"
import { DIALECTS } from "./record.ts"
import { recoverOpen } from "./recovery.ts"

const path = (text: string) => textSchema(1, 4096).describe(text)
const TRANSPORTS = ["local", "ssh", "docker"] as const

const input = z.strictObject({
  transport: z.enum(TRANSPORTS).describe("Where it runs."),
  host: textSchema(1, 255).describe("ssh: host or alias.").optional(),
  user: textSchema(1, 64).describe("ssh.").optional(),
  port: z.int().min(1).max(65_535).describe("ssh.").optional(),
  password: textSchema(1, 1024).describe("ssh; not kept.").optional(),
  key_path: path("ssh: private key.").optional(),
  fingerprint: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/)
    .describe("ssh: host key.")
    .optional(),
  container: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/)
    .describe("docker: name.")
    .optional(),
  ...openFields,
  // The whole shape once more would make the entry too large for a tool list; the handler checks it.
  output_budget: z.looseObject({}).describe("Default budget, as in session_exec.").optional(),
  allow: programNamesSchema.describe("Only these programs (advisory).").optional(),
  deny: programNamesSchema.describe("Not these programs (advisory).").optional(),
  idle_ttl_secs: z.int().min(1).max(86_400).describe("Closed after idling so long.").optional(),
  workspace: path("Remote folder for checkpoints.").optional(),
  paths: z.array(textSchema(1, 4096)).max(64).describe("Only these below it.").optional(),
  auto_snapshot: z.boolean().describe("Checkpoint before changes; default true.").optional(),
  checkpoint_ignores: z.array(textSchema(1, 4096)).max(64).describe("Patterns left out.").optional(),
})
type CreateInput = z.output<typeof input>

const output = z.object({
  session_id: z.string().max(200),
  transport: z.enum(TRANSPORTS),
  shell: z.enum(DIALECTS),
  cwd: z.string().max(4096),
  created_at: z.number(),
  auto_snapshot: z.boolean().optional(),
})
type CreateOutput = z.infer<typeof output>

/** `session_create` (spec shells.md §10). */
export const sessionCreate = defineTool({
  ...executing,
  name: "session_create",
  title: "Open a free shell",
  description:
    "Opens a live shell on this machine, over ssh or in a container, that keeps directory and variables between commands.",
  input,
  output,
  elevate: ({ transport }) => (transport === "local" ? {} : { scopes: ["remote:use"] }),
  target: unbound,
  inherits: [],
  resource: "ignores",
  surfaces: ["shell"],
  record: {
    input: ({ transport, env, allow, deny, on_exit }) => ({
      persistent_shell: "open",
      transport,
      env_count: env?.length ?? 0,
      fenced: allow !== undefined || deny !== undefined,
      on_exit: on_exit ?? "restore",
    }),
    output: ({ session_id, shell }) => ({
      persistent_shell: "open",
      shell_id: session_id,
      shell_state: "running",
      shell,
    }),
    evidence: (result) => changeEvidence(result, () => true),
  },
  reduce: [{ at: "cwd", kind: "text", min: 200 }],
  verbatim: ["session_id"],
  async handler(wanted, call) {
    const runner = localRunner(call)
    const plan = planOf(wanted, call)
    const { reach } = plan
    const place = reach.kind === "ssh" ? asResolved(plan, await runner.shells.resolve(reach)) : plan
    const opened = await openShell(call, runner, { ...plan, ...place })
    const { shell } = opened
    return commitOpened(call, opened, (facts) => ({
      session_id: shell.shellId,
      transport: wanted.transport,
      shell: shell.dialect,
      cwd: facts?.cwd ?? shell.initialCwd,
      created_at: shell.createdAt,
      ...(facts?.automaticCheckpoints === undefined ? {} : { auto_snapshot: facts.automaticCheckpoints }),
    }))
  },
  recover: recoverOpen,
})

function planOf(wanted: CreateInput, { ports }: Call<CreateOutput>) {
  const { target, reach } = placeOfInput(wanted)
  const cwd = wanted.cwd === undefined ? undefined : cwdText(wanted.cwd)
  if (cwd !== undefined && !cwd.startsWith("/"))
    throw invalidField("cwd", "format", "cwd is not absolute. Send a whole path.")
  if (wanted.password !== undefined) ports.secrets.register("SSH_PASSWORD", wanted.password)
  const outputBudgetJson = budgetJson(checkedBudget(wanted.output_budget))
  const { allow = [], deny = [] } = wanted
  return {
    family: "free" as const,
    target,
    reach,
    ...(wanted.shell === undefined ? {} : { dialect: wanted.shell }),
    ...(cwd === undefined ? {} : { cwd }),
    env: checkedEnvironment(wanted.env ?? []),
    onExit: wanted.on_exit ?? ("restore" as const),
    idleTtlMs: wanted.idle_ttl_secs === undefined ? ports.shells.settings.idleTtlMs : wanted.idle_ttl_secs * 1000,
    ...(outputBudgetJson === undefined ? {} : { outputBudgetJson }),
    ...(allow.length + deny.length === 0 ? {} : { fenceJson: JSON.stringify({ allow, deny }) }),
  }
}
