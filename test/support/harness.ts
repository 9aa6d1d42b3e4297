import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createNoChatSessions } from "../../adapters/chat-sessions/index.ts"
import { createSystemClock } from "../../adapters/clock/index.ts"
import { createProcessProbe } from "../../adapters/processes/index.ts"
import { createLocalRunner, type HostLimits } from "../../adapters/runners/local/index.ts"
import { createSignals } from "../../adapters/signals/index.ts"
import { openStore } from "../../adapters/storage/index.ts"
import type { Caller } from "../../core/access/principal.ts"
import { recoverJobs } from "../../core/jobs/recovery.ts"
import { createJobSupervisor } from "../../core/jobs/supervisor.ts"
import type { ChatSessions } from "../../core/kernel/chat-sessions.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import { createKernel } from "../../core/kernel/create-kernel.ts"
import type { AnyToolDefinition } from "../../core/kernel/definition.ts"
import { createIds, type Ids, type ProjectPk, sessionIdSchema } from "../../core/kernel/ids.ts"
import type { ProcessProbe } from "../../core/kernel/instances.ts"
import type { CallAnswer, CallRequest, Kernel } from "../../core/kernel/kernel.ts"
import type { AuthorityMode } from "../../core/kernel/permission.ts"
import { createRegistry, type Registry, type RegistryOptions } from "../../core/kernel/registry.ts"
import type { ToolErrorBody } from "../../core/kernel/result.ts"
import { createSecretRegistry, type Secrets } from "../../core/kernel/secrets.ts"
import { startUpkeep, type Upkeep } from "../../core/kernel/upkeep.ts"
import { createLedger } from "../../core/ledger/create-ledger.ts"
import type { StoredEvent, ToolCallFinished, ToolCallStarted } from "../../core/ledger/events.ts"
import type { SessionLimits } from "../../core/ledger/ledger.ts"
import type { ProjectSettings } from "../../core/projects/settings.ts"
import { DEFAULT_SESSION_RETENTION, type SessionRetention, sweepSessions } from "../../core/sessions/retention.ts"
import { recoverShells } from "../../core/shells/recovery.ts"
import { createShellDesk, DEFAULT_SHELL_SETTINGS, type ShellSettings } from "../../core/shells/settings.ts"
import { createShellSupervisor } from "../../core/shells/supervisor.ts"
import type { Store } from "../../core/store.ts"
import { allTools } from "../../core/tools.ts"
import { alice, local } from "./callers.ts"
import { type CountedRunners, countRunner } from "./counted-runners.ts"
import { dumpTables } from "./dump-tables.ts"
import { type RecordedTelemetry, recordTelemetry } from "./recorded-telemetry.ts"

/** What a test may change about the kernel it gets. */
export interface HarnessOptions {
  /** Test tools, after those of the product. */
  readonly tools?: readonly AnyToolDefinition[]
  readonly registry?: RegistryOptions
  readonly clock?: Clock
  readonly ids?: Ids
  readonly authorityMode?: AuthorityMode
  readonly replyLimit?: number
  readonly sessionLimits?: Partial<SessionLimits>
  readonly sessionRetention?: SessionRetention
  readonly chatSessions?: ChatSessions
  readonly probe?: ProcessProbe
  readonly projectSettings?: ReadonlyMap<ProjectPk, ProjectSettings>
  readonly hostLimits?: Partial<HostLimits>
  readonly shells?: Partial<ShellSettings>
  /** A second server on the data directory of another harness. */
  readonly beside?: Pick<Harness, "home" | "dataDir">
  /** Puts a faulty store before the real one. */
  readonly wrapStore?: (store: Store) => Store
}

/** How one call is made; by `alice` through an embedding program unless said. */
export interface CallOptions extends Partial<CallRequest["request"]> {
  readonly as?: Caller
  readonly recorder?: string
  readonly wrapper?: CallRequest["wrapper"]
  readonly door?: CallRequest["door"]
  readonly surface?: CallRequest["surface"]
  /** Whether the door offers acknowledgements; an embedding program does. */
  readonly acknowledges?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: CallRequest["onProgress"]
}

/** A real kernel over a real store and Runner in a temporary data directory. */
export interface Harness extends AsyncDisposable {
  readonly home: string
  readonly dataDir: string
  readonly kernel: Kernel
  readonly registry: Registry
  readonly store: Store
  readonly clock: Clock
  readonly secrets: Secrets
  readonly runners: CountedRunners
  readonly telemetry: RecordedTelemetry
  readonly schemaHash: string
  call(tool: string, input?: unknown, options?: CallOptions): Promise<CallAnswer>
  /** The output of a call that must succeed. */
  ok(tool: string, input?: unknown, options?: CallOptions): Promise<Record<string, unknown>>
  /** The error and status of a call that must fail. */
  fails(
    tool: string,
    input?: unknown,
    options?: CallOptions,
  ): Promise<ToolErrorBody & { readonly http: number; readonly details?: Record<string, unknown> }>
  /** Makes and registers a directory; its slug is its name. */
  project(name: string): Promise<{ readonly project: string; readonly root: string }>
  /** A new Session of `alice`; its id. */
  session(input?: object, options?: CallOptions): Promise<string>
  /** A Session's ledger, oldest first. */
  events(sessionId: string): Promise<readonly StoredEvent[]>
  /** The call events of a Session, oldest first. */
  callEvents(sessionId: string): Promise<readonly (CallStart | CallFinish)[]>
  /** All tables as text. */
  dump(): string
  /** Registers this process and starts recovery. */
  startUpkeep(): Promise<Upkeep>
}

export type CallStart = ToolCallStarted & { readonly seq: number }
export type CallFinish = ToolCallFinished & { readonly seq: number }

const SCHEMA_HASH = "0123456789abcdef0123456789abcdef"

/** Starts one; dispose of it with `await using`. */
export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const place = options.beside ?? (await makePlace())
  const { home, dataDir } = place
  const clock = options.clock ?? createSystemClock()
  const ids = options.ids ?? createIds()
  const instance = ids.instance()
  const opened = await openStore({ dataDir, env: process.env })
  const store = options.wrapStore?.(opened) ?? opened
  const signals = createSignals({ foreignCommits: () => opened.foreignCommits() })
  const secrets = createSecretRegistry()
  const runner = createLocalRunner({
    instance,
    dataDirectory: dataDir,
    runtimeDirectory: join(home, "..", "run"),
    home,
    environment: process.env,
    secrets,
    clock,
    ids,
    callIsOpen: (callId) => opened.read((tx) => tx.openCalls.exists(callId)),
    ...(options.hostLimits === undefined ? {} : { limits: options.hostLimits }),
  })
  const runners = countRunner(runner)
  const telemetry = recordTelemetry()
  const ledger = createLedger({
    ids,
    redact: (text) => secrets.redactor().redactText(text).text,
    ...(options.sessionLimits === undefined ? {} : { limits: options.sessionLimits }),
  })
  const supervisor = createJobSupervisor({
    store,
    ledger,
    signals,
    clock,
    runners: [runner.jobs],
    report: (error) => telemetry.fault(error, { requestId: "jobs" }),
  })
  supervisor.start()
  const shells = createShellDesk(ids, { ...DEFAULT_SHELL_SETTINGS, ...options.shells })
  const shellSupervisor = createShellSupervisor({
    store,
    shells,
    signals,
    clock,
    runners: [runner],
    report: (error) => telemetry.fault(error, { requestId: "shells" }),
  })
  shellSupervisor.start()
  const registry = createRegistry([...allTools, ...(options.tools ?? [])], options.registry)
  const kernel = createKernel({
    registry,
    schemaHash: () => SCHEMA_HASH,
    store,
    clock,
    ids,
    signals,
    secrets,
    runners,
    ledger,
    chatSessions: options.chatSessions ?? createNoChatSessions(),
    telemetry,
    runtime: {
      version: "0.0.0",
      instance,
      startedAt: clock.monotonic(),
      authority: { mode: options.authorityMode ?? "trusted_agent", source: "default" },
      features: [],
      allowedRoots: [home],
      projects: options.projectSettings ?? new Map(),
      limits: { deadline_ms: 40_000, reply_limit_chars: options.replyLimit ?? 90_000, body_limit_bytes: 4_194_304 },
    },
    shells,
  })
  const upkeeps: Upkeep[] = []

  const call: Harness["call"] = (tool, input = {}, how = {}) => {
    const { as = alice, recorder, wrapper, door = "embedded", surface, signal, onProgress, ...rest } = how
    const { acknowledges = door === "embedded", ...request } = rest
    const fields = recorder === undefined ? wrapper : { ...wrapper, recording_session_id: recorder }
    return kernel.call({
      tool,
      input,
      caller: as,
      door,
      acknowledges,
      ...(fields === undefined ? {} : { wrapper: fields }),
      ...(surface === undefined ? {} : { surface }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
      request: { id: "test", ...request },
    })
  }
  const ok: Harness["ok"] = async (tool, input, how) => {
    const { result } = await call(tool, input, how)
    if (result.success) return { ...result.output }
    throw new Error(`${tool} failed: ${JSON.stringify(result.error)}`, { cause: telemetry.faults.at(-1) })
  }
  const events: Harness["events"] = async (sessionId) =>
    [...(await opened.read((tx) => tx.ledger.all(sessionIdSchema.parse(sessionId))))].sort((a, b) => a.seq - b.seq)

  return {
    home,
    dataDir,
    kernel,
    registry,
    store: opened,
    clock,
    secrets,
    runners,
    telemetry,
    schemaHash: SCHEMA_HASH,
    call,
    ok,
    async fails(tool, input, how) {
      const { result, httpStatus } = await call(tool, input, how)
      if (result.success) throw new Error(`${tool} succeeded: ${JSON.stringify(result.output)}`)
      const { details, ...error } = result.error
      return { ...error, http: httpStatus, ...(details === undefined ? {} : { details: { ...details } }) }
    },
    async project(name) {
      const root = join(home, name)
      await mkdir(root)
      await ok("register_project", { path: root, project: name }, { as: local })
      return { project: name, root }
    },
    async session(input = {}, how = {}) {
      return String((await ok("start_session", input, how)).session_id)
    },
    events,
    async callEvents(sessionId) {
      const all = await events(sessionId)
      return all.filter((event) => event.kind === "tool_call_started" || event.kind === "tool_call_finished")
    },
    dump: () => dumpTables(dataDir),
    async startUpkeep() {
      const upkeep = await startUpkeep({
        registry,
        store,
        ledger,
        runners,
        clock,
        telemetry,
        instance,
        probe: options.probe ?? createProcessProbe(),
        recoverDomains: async (dead) => {
          await recoverShells({ store, signals, clock, runners, shells }, dead)
          await recoverJobs({ store, ledger, signals, clock, runners }, dead)
          await runner.fs.recover()
        },
        sweepDomains: (now) => sweepSessions(store, now, options.sessionRetention ?? DEFAULT_SESSION_RETENTION),
      })
      upkeeps.push(upkeep)
      return upkeep
    },
    async [Symbol.asyncDispose]() {
      for (const upkeep of upkeeps) await upkeep.stop()
      await runner.close("end")
      await shellSupervisor.close()
      await supervisor.close()
      signals.close()
      await opened.close()
      if (options.beside === undefined) await rm(join(home, ".."), { recursive: true, force: true })
    },
  }
}

async function makePlace(): Promise<{ readonly home: string; readonly dataDir: string }> {
  const top = await realpath(await mkdtemp(join(tmpdir(), "hf-")))
  const home = join(top, "home")
  await mkdir(home)
  return { home, dataDir: join(top, "data") }
}
