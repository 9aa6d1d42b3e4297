import { mkdir } from "node:fs/promises"
import path from "node:path"
import { createSystemClock } from "../../../adapters/clock/index.ts"
import { createProjectFs } from "../../../adapters/runners/local/files/project-fs.ts"
import { LocalGit } from "../../../adapters/runners/local/git/git.ts"
import { createLocalRoots } from "../../../adapters/runners/local/roots/create-local-roots.ts"
import type { Caller, Principal } from "../../../core/access/principal.ts"
import { authorityOf, localPrincipal } from "../../../core/access/principal.ts"
import { SCOPE_BUNDLES, type Scope } from "../../../core/access/scopes.ts"
import { createPathPolicy } from "../../../core/files/policy.ts"
import { createKernel } from "../../../core/kernel/create-kernel.ts"
import type { AnyToolDefinition } from "../../../core/kernel/definition.ts"
import { ToolError } from "../../../core/kernel/error.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createRegistry } from "../../../core/kernel/registry.ts"
import type { ToolResult } from "../../../core/kernel/result.ts"
import { createSecretRegistry, type Secrets } from "../../../core/kernel/secrets.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import type { SessionLimits } from "../../../core/ledger/ledger.ts"
import { projectTools } from "../../../core/projects/tools.ts"
import type { Runner } from "../../../core/runners/runner.ts"
import { sessionTools } from "../../../core/sessions/tools.ts"
import type { Store } from "../../../core/store.ts"
import { workflowTools } from "../../../core/workflow/tools.ts"
import { openTestStore, type Stored } from "../ledger/stored.ts"
import { workTools } from "./work-tools.ts"

/** How one call is made: who calls, and which Session records it. */
export interface CallAs {
  readonly as?: Caller
  readonly recorder?: string
}

/** A kernel over a real store, real directories and real git; commands are the Job domain's tests. */
export interface KernelUnderTest extends AsyncDisposable {
  readonly store: Store
  readonly dataDir: string
  /** Allowed root; Projects of the tests lie in it. */
  readonly home: string
  readonly secrets: Secrets
  /** Moves the wall clock, ms. */
  readonly time: { offset: number }
  call(tool: string, input: object, how?: CallAs): Promise<ToolResult>
  /** The output of a call that has to succeed. */
  ok(tool: string, input: object, how?: CallAs): Promise<Record<string, unknown>>
  /** Kind and details of a call that has to fail. */
  refused(tool: string, input: object, how?: CallAs): Promise<{ kind: string; details: object | undefined }>
  /** Makes `home/name` a Project of that slug. */
  project(name: string): Promise<string>
}

/** A caller with bundle `agent` and every Project. */
export function callerOf(principal: Principal, over: Partial<Caller> = {}): Caller {
  return {
    principal,
    authority: authorityOf(principal),
    credential: { kind: "user_token" },
    scopes: new Set(SCOPE_BUNDLES.agent),
    projects: "*",
    ...over,
  }
}

const user = (name: string): Principal => ({ kind: "user", id: `user:${name}`, name })
export const alice = callerOf(user("alice"))
export const bob = callerOf(user("bob"))
export const local = callerOf(localPrincipal)

/** The same caller without these scopes. */
export function without(caller: Caller, ...scopes: readonly Scope[]): Caller {
  return { ...caller, scopes: new Set([...caller.scopes].filter((scope) => !scopes.includes(scope))) }
}

function localRunner(
  { home, dataDir }: Pick<Stored, "home" | "dataDir">,
  clock: ReturnType<typeof createSystemClock>,
): Runner {
  const fs = createProjectFs({ dataDir, clock, ids: createIds(), callIsOpen: async () => false })
  const git = new LocalGit({ fs, policyOf: (tree) => createPathPolicy(tree.filePolicy), environment: process.env })
  const roots = createLocalRoots({ home, dataDir, environment: process.env })
  // Search and Jobs have no part in these tests; touching them is a fault that throws.
  return { clientId: "local", confinement: fs.confinement, fs, git, roots } as unknown as Runner
}

function parsed(result: ToolResult, faults: readonly unknown[]): Record<string, unknown> {
  if (result.success) return { ...result.output }
  const { kind, message, details } = result.error
  throw new Error(`${kind}: ${message} ${JSON.stringify(details)}`, { cause: faults.at(-1) })
}

export async function startKernel(
  options: {
    readonly limits?: Partial<SessionLimits>
    readonly tools?: readonly AnyToolDefinition[]
    /** Puts a faulty store before the real one. */
    readonly wrapStore?: (store: Store) => Store
  } = {},
): Promise<KernelUnderTest> {
  const stored = await openTestStore()
  const { dataDir } = stored
  const home = path.join(stored.home, "home")
  await mkdir(home)
  const time = { offset: 0 }
  const faults: unknown[] = []
  const system = createSystemClock()
  const clock = { ...system, now: () => system.now() + time.offset }
  const ids = createIds()
  const secrets = createSecretRegistry()
  const runner = localRunner({ home, dataDir }, system)
  const store = options.wrapStore?.(stored.store) ?? stored.store
  const registry = createRegistry([
    ...projectTools,
    ...sessionTools,
    ...workflowTools,
    ...workTools,
    ...(options.tools ?? []),
  ])
  const kernel = createKernel({
    registry,
    schemaHash: "0".repeat(32),
    store,
    clock,
    ids,
    signals: { notify: () => undefined, wait: async () => false },
    secrets,
    telemetry: {
      call: () => undefined,
      fault: (error) => faults.push(error),
      note: () => undefined,
    },
    runners: { get: (id) => (id === "local" ? runner : undefined), ids: () => ["local"] },
    ledger: createLedger({
      ids,
      redact: (text) => secrets.redactor().redactText(text).text,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    }),
    chatSessions: {
      resolve: async () => {
        throw new ToolError("chat_session_unknown", "No Chat Session is known here.")
      },
    },
    runtime: {
      version: "0.0.0",
      instance: ids.instance(),
      startedAt: clock.monotonic(),
      authority: { mode: "trusted_agent", source: "default" },
      features: [],
      allowedRoots: [home],
      limits: { deadline_ms: 40_000, reply_limit_chars: 90_000, body_limit_bytes: 4_194_304 },
    },
  })

  const call: KernelUnderTest["call"] = async (tool, input, { as = alice, recorder } = {}) => {
    const { result } = await kernel.call({
      tool,
      input,
      caller: as,
      door: "embedded",
      ...(recorder === undefined ? {} : { wrapper: { recording_session_id: recorder } }),
      request: { id: "test" },
    })
    return result
  }
  const ok: KernelUnderTest["ok"] = async (tool, input, how) => parsed(await call(tool, input, how), faults)
  return {
    store: stored.store,
    dataDir,
    home,
    secrets,
    time,
    call,
    ok,
    async refused(tool, input, how) {
      const result = await call(tool, input, how)
      if (result.success) throw new Error(`${tool} succeeded: ${JSON.stringify(result.output)}`)
      return { kind: result.error.kind, details: result.error.details }
    },
    async project(name) {
      await mkdir(path.join(home, name))
      await ok("register_project", { path: path.join(home, name), project: name }, { as: local })
      return name
    },
    async [Symbol.asyncDispose]() {
      await stored[Symbol.asyncDispose]()
    },
  }
}
