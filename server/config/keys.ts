import path from "node:path"
import { z } from "zod"
import { hostName } from "../../adapters/http/host-rule.ts"
import { MAX_RUNTIME_DIRECTORY_BYTES } from "../../adapters/runners/local/carrier/host-start.ts"
import { checkedEnvironment, type EnvironmentEntry, environmentSchema } from "../../core/jobs/environment.ts"
import { FEATURES, SURFACES } from "../../core/kernel/definition.ts"
import { isToolError } from "../../core/kernel/error.ts"
import { labelSchema } from "../../core/kernel/text-schema.ts"
import { MAX_PROJECT_DESCRIPTION, MAX_PROJECT_TITLE } from "../../core/projects/record.ts"
import { isOrigin, isPublicOrigin } from "./origin.ts"

/** Where a value came from (spec kernel.md §14). */
export type Source = "flag" | "env" | "file" | "default"

/** A whole number; flags and variables give it as digits. */
const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value),
    z.int(message).min(min, message).max(max, message),
  )
}
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(256)
const absolutePath = z.string().refine((value) => path.isAbsolute(value), "must be an absolute path")

function requireUsable(env: readonly EnvironmentEntry[], context: z.RefinementCtx): void {
  try {
    checkedEnvironment(env)
  } catch (error) {
    if (!isToolError(error)) throw error
    context.addIssue({ code: "custom", message: error.message.replace(/\.$/, "") })
  }
}

const MAX_INIT_BYTES = 16_000

function refuseUnusableInit(context: z.core.ParsePayload<string>): void {
  const { value } = context
  if (!value.includes("\0") && Buffer.byteLength(value) <= MAX_INIT_BYTES) return
  context.issues.push({ code: "custom", message: `must be ≤ ${MAX_INIT_BYTES} bytes without NUL`, input: value })
}

/** One Project of the configuration file, registered at start (spec kernel.md §9). */
export const projectEntrySchema = z.strictObject({
  path: absolutePath,
  project: z.string().optional(),
  title: labelSchema(0, MAX_PROJECT_TITLE).optional(),
  description: labelSchema(0, MAX_PROJECT_DESCRIPTION).optional(),
  raw_shell: z.boolean().default(true),
  profile: z
    .strictObject({
      env: environmentSchema.superRefine(requireUsable).default([]),
      init: z.string().check(refuseUnusableInit).optional(),
    })
    .optional(),
})

const sshResourceSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, "must be a name of letters, digits, dots, dashes"),
  host: z
    .string()
    .max(255)
    .regex(/^[^\s-]\S*$/, "must be a host or alias of ssh"),
  default_cwd: absolutePath.optional(),
})

/** One entry as it is written. */
export type ProjectEntry = z.input<typeof projectEntrySchema>

/**
 * Every configuration key with its bounds and default (spec kernel.md §14 and the domain specs). Key `a_b` is flag `--a-b`,
 * variable `HOLDFAST_A_B` and `a_b` in the file.
 */
export const configSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(255)
    .default("127.0.0.1")
    .describe("Address to listen on; wider than loopback needs public_url or allow_host"),
  port: whole(0, 65_535).default(4747).describe("Port to listen on; 0 chooses a free one and prints it"),
  public_url: z
    .string()
    .refine(isPublicOrigin, "must be an https origin without path (http only on loopback)")
    .optional()
    .describe("Origin under which a proxy or tunnel serves this server"),
  trust_proxy: whole(0, 16).default(0).describe("How many proxies to trust in X-Forwarded-For, for limits only"),
  allow_host: list(z.string().refine((name) => hostName(name) !== undefined, "must be a host name"))
    .default([])
    .describe("Further Host names to accept"),
  allow_origin: list(z.string().refine(isOrigin, "must be an origin such as https://example.org"))
    .default([])
    .describe("Origins of web pages that may call"),
  http_deadline_ms: whole(2_000, 600_000).default(40_000).describe("Time for a whole call over HTTP, ms"),
  mcp_deadline_ms: whole(2_000, 600_000).default(50_000).describe("Time for a whole call over MCP, ms"),
  rate_limit_per_minute: whole(1, 1_000_000).default(600).describe("Calls a minute and principal"),
  reply_limit_chars: whole(1_000, 4_000_000).default(90_000).describe("Longest serialised reply, UTF-16 units"),
  authority_mode: z
    .enum(["trusted_agent", "restricted"])
    .default("trusted_agent")
    .describe("Whether writing and running tools run or are denied"),
  surface: z
    .enum(SURFACES)
    .default("coding")
    .describe("Tools that /mcp and stdio list; workflow has none in this version"),
  disabled_tools: list(z.string().min(1).max(64)).default([]).describe("Tools that answer tool_disabled"),
  features: list(z.enum(FEATURES))
    .default([])
    .describe("Optional parts to switch on; this version has none, so it changes nothing"),
  allowed_roots: list(absolutePath)
    .optional()
    .describe("Directories under which tools may register Projects; default the home directory"),
  projects: list(projectEntrySchema).default([]).describe("Projects to register at start (configuration file only)"),
  log_level: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Least level that is logged"),
  log_format: z.enum(["json", "pretty"]).optional().describe("Default: pretty on a terminal, else json"),
  durability: z
    .enum(["process", "power"])
    .default("process")
    .describe("Survive killed processes (process) or also power loss (power)"),
  private_documents: flag.default(false).describe("Require a token for the OpenAPI documents"),
  output_schemas: z.enum(["envelope", "exact"]).default("envelope").describe("Output schemas in MCP tool lists"),
  legal_contact: z.string().max(200).optional().describe("Contact shown on /legal/privacy"),
  legal_file: absolutePath.optional().describe("File of at most 64 KiB that replaces /legal/privacy"),
  openai_apps_challenge: z.string().max(1_000).optional().describe("Text served at /.well-known/openai-apps-challenge"),
  max_active_sessions: whole(10, 1_000_000).default(10_000).describe("Active Workflow Sessions an authority group"),
  session_retention_days: whole(1, 3_650).default(90).describe("Days for which closed Sessions are kept"),
  session_idle_days: whole(30, 3_650).default(365).describe("Days for which unused active Sessions are kept"),
  max_running_jobs: whole(1, 256).default(16).describe("Commands running at once"),
  spool_job_bytes: whole(1_048_576, 4_294_967_296).default(67_108_864).describe("Output kept a Job, bytes"),
  output_limit_bytes: whole(1, 1_099_511_627_776)
    .optional()
    .describe("Output at which a Job is ended, bytes; default never"),
  spool_total_bytes: whole(1_048_576, 1_099_511_627_776).default(2_147_483_648).describe("Output kept in all, bytes"),
  spool_hours: whole(1, 720).default(24).describe("Hours for which the output of finished Jobs is kept"),
  max_free_shells: whole(1, 512).default(64).describe("Live free shells"),
  max_bound_shells: whole(1, 512).default(64).describe("Live shells of Sessions"),
  shell_idle_ttl_ms: whole(0, 86_400_000)
    .default(1_800_000)
    .describe("Idle time after which a shell is closed, ms; 0 never"),
  shell_background_ttl_ms: whole(0, 2_592_000_000)
    .default(28_800_000)
    .describe("The same for a shell with live background processes, ms; 0 never"),
  exec_timeout_secs: whole(1, 3_600).default(120).describe("Life of a command of session_exec that states none, s"),
  ssh_first_use: z
    .enum(["accept", "refuse"])
    .default("accept")
    .describe("What is done with the unknown host key of an SSH shell"),
  ssh_resources: list(sshResourceSchema)
    .default([])
    .describe("Machines that Sessions may name for their shells (configuration file only)"),
  ssh_key_dir: absolutePath.optional().describe("Folder that key_path of session_create must lie in; default ~/.ssh"),
  container_engine: z
    .enum(["docker", "podman"])
    .optional()
    .describe("Engine of container shells; default the one that answers, docker first"),
  fence_file: absolutePath.optional().describe("Advisory fence of shells: it stops mistakes, not intent"),
  audit_log: absolutePath.optional().describe("File, or directory (ending in a slash), for a line a command"),
  audit_log_days: whole(0, 3_650).default(14).describe("Days for which files of an audit directory are kept; 0 always"),
  processes_on_shutdown: z
    .enum(["keep", "end"])
    .default("keep")
    .describe("What a clean shutdown does with running Jobs"),
  runtime_dir: absolutePath
    .refine(
      (path) => Buffer.byteLength(path) <= MAX_RUNTIME_DIRECTORY_BYTES,
      `must be at most ${MAX_RUNTIME_DIRECTORY_BYTES} bytes long`,
    )
    .optional()
    .describe(
      "Private directory for sockets and pipes; default one of this user and data directory in the temporary one",
    ),
  runner_linger_ms: whole(0, 3_600_000)
    .default(5_000)
    .describe("How long the Runner host that holds nothing stays after the last server, ms"),
  env_passthrough: list(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*\*?$/, "must be the name of a variable, or PREFIX_*"))
    .default([])
    .describe("Server variables that children may see: names or PREFIX_*"),
  env_set: list(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable"),
      value: z.string().max(8_192),
    }),
  )
    .default([])
    .describe("Variables set for every child (configuration file only)"),
})

export type Config = z.infer<typeof configSchema>
export type ConfigKey = keyof Config & string

/** All keys in table order. */
export const configKeys: readonly ConfigKey[] = Object.keys(configSchema.shape).filter(
  (key): key is ConfigKey => key in configSchema.shape,
)

const FILE_ONLY: ReadonlySet<string> = new Set<ConfigKey>(["projects", "env_set", "ssh_resources"])
const HTTP_ONLY: ReadonlySet<string> = new Set<ConfigKey>([
  "host",
  "port",
  "public_url",
  "trust_proxy",
  "allow_host",
  "allow_origin",
  "http_deadline_ms",
  "rate_limit_per_minute",
  "private_documents",
  "legal_contact",
  "legal_file",
  "openai_apps_challenge",
])
const LISTS: ReadonlySet<string> = new Set<ConfigKey>([
  "allow_host",
  "allow_origin",
  "disabled_tools",
  "features",
  "allowed_roots",
  "env_passthrough",
])

/** Whether a key holds objects and can stand only in the configuration file. */
export const isFileOnly = (key: ConfigKey): boolean => FILE_ONLY.has(key)

/** Whether a key says something about the HTTP door alone; a command that serves stdio offers no flag for it. */
export const isHttpOnly = (key: ConfigKey): boolean => HTTP_ONLY.has(key)

/** Whether a key is a list: a repeated flag, a comma-separated variable. */
export const isList = (key: ConfigKey): boolean => LISTS.has(key)

/** `a_b` → `--a-b`. */
export const flagOf = (key: string): string => `--${key.replaceAll("_", "-")}`

/** `a_b` → `HOLDFAST_A_B`. */
export const variableOf = (key: string): string => `HOLDFAST_${key.toUpperCase()}`
