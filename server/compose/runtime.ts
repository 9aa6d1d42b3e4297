import { homedir } from "node:os"
import { createNoChatSessions } from "../../adapters/chat-sessions/index.ts"
import { createSystemClock } from "../../adapters/clock/index.ts"
import { BODY_LIMIT_BYTES } from "../../adapters/http/body-limit.ts"
import { createProcessProbe } from "../../adapters/processes/index.ts"
import type { HostCommand } from "../../adapters/runners/local/index.ts"
import { openStore } from "../../adapters/storage/index.ts"
import { recoverJobs } from "../../core/jobs/recovery.ts"
import { createJobSupervisor } from "../../core/jobs/supervisor.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import { createKernel } from "../../core/kernel/create-kernel.ts"
import type { AnyToolDefinition } from "../../core/kernel/definition.ts"
import { createIds, type Ids, type ProjectPk } from "../../core/kernel/ids.ts"
import type { Kernel } from "../../core/kernel/kernel.ts"
import { secretsFromEnvironment } from "../../core/kernel/redaction/environment.ts"
import type { Redactor } from "../../core/kernel/redaction/redactor.ts"
import type { Registry } from "../../core/kernel/registry.ts"
import type { RuntimeFacts } from "../../core/kernel/runtime.ts"
import { createSecretRegistry, type Secrets } from "../../core/kernel/secrets.ts"
import type { Signals } from "../../core/kernel/signals.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
import { startUpkeep } from "../../core/kernel/upkeep.ts"
import { createLedger } from "../../core/ledger/create-ledger.ts"
import { registerAsOperator } from "../../core/projects/register.ts"
import type { ProjectSettings } from "../../core/projects/settings.ts"
import type { RunnerDirectory } from "../../core/runners/runner.ts"
import { sweepSessions } from "../../core/sessions/retention.ts"
import { recoverShells } from "../../core/shells/recovery.ts"
import { createShellDesk } from "../../core/shells/settings.ts"
import { createShellSupervisor } from "../../core/shells/supervisor.ts"
import type { Store } from "../../core/store.ts"
import { buildDocuments, type Documents } from "../../openapi/documents.ts"
import type { Config, Source } from "../config/keys.ts"
import { VERSION } from "../version.ts"
import { Closing } from "./closing.ts"
import { composeCommandLog } from "./command-log.ts"
import { meetHost, nameKept } from "./host-life.ts"
import { composeRunner } from "./local-runner.ts"
import { composeRegistry } from "./registry.ts"
import { shellSettings } from "./shell-settings.ts"
import { composeSignals } from "./signals.ts"

/** What a runtime is made from. It listens on nothing and reads no environment but what it is given. */
export interface RuntimeOptions {
  readonly dataDir: string
  readonly config: Config
  readonly authoritySource: Source
  /** Environment for children's base variables, secrets to mask, and the recognition of a test runner. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Further tools; they pass the same lint. */
  readonly tools?: readonly AnyToolDefinition[]
  readonly clock?: Clock
  readonly ids?: Ids
  readonly telemetry: (redactor: () => Redactor) => Telemetry
  /** What runs `holdfast runner`, for one host that all servers of the data directory share; absent: this process carries its own. */
  readonly hostCommand?: HostCommand
}

/** One process's Holdfast without any door. */
export interface Runtime {
  readonly config: Config
  readonly kernel: Kernel
  readonly registry: Registry
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly signals: Signals
  readonly secrets: Secrets
  readonly runners: RunnerDirectory
  readonly telemetry: Telemetry
  readonly facts: RuntimeFacts
  /** Names the documents (spec doors.md §3.2); made when first asked for, so that no host waits for it at a start. */
  schemaHash(): string
  /** Both documents under one server address (spec doors.md §3.2). */
  documents(serverUrl: string): Documents
  /** Refuses new calls, ends or keeps Jobs as configured, closes the store (spec doors.md §2.7). */
  close(): Promise<void>
}

/** Composes storage, Runner, registry and kernel; recovery has run once before this resolves (spec kernel.md §15). */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const closing = new Closing()
  try {
    return await compose(options, closing)
  } catch (error) {
    await closing.run()
    throw error
  }
}

async function compose(options: RuntimeOptions, closing: Closing): Promise<Runtime> {
  const { dataDir, config, env, clock = createSystemClock(), ids = createIds() } = options
  const secrets = createSecretRegistry(secretsFromEnvironment(env))
  const telemetry = options.telemetry(() => secrets.redactor())
  const registry = composeRegistry(config, options.tools)
  const store = await openStore({ dataDir, durability: config.durability, env })
  closing.add(() => store.close())
  const signals = composeSignals(store)
  closing.add(() => signals.close())
  const documents = (serverUrl: string): Documents => buildDocuments(registry, { version: VERSION, serverUrl })
  const schemaHash = once(() => documents("http://127.0.0.1").schemaHash)
  const projectSettings = new Map<ProjectPk, ProjectSettings>()
  const facts = runtimeFacts(options, {
    instance: ids.instance(),
    startedAt: clock.monotonic(),
    projects: projectSettings,
  })
  const ledger = createLedger({
    ids,
    redact: (text) => secrets.redactor().redactText(text).text,
    limits: { retainedEvents: RETAINED_EVENTS, maxActiveSessions: config.max_active_sessions },
  })
  const { local, carrier } = await composeRunner({
    ...options,
    instance: facts.instance,
    clock,
    ids,
    secrets,
    store,
    telemetry,
  })
  closing.add(() => carrier?.close())
  const runners: RunnerDirectory = {
    get: (clientId) => (clientId === local.clientId ? local : undefined),
    ids: () => [local.clientId],
  }
  const shared = { store, ledger, signals, clock }
  const supervisor = createJobSupervisor({
    ...shared,
    runners: [local.jobs],
    report: (error) => telemetry.fault(error, { requestId: "jobs" }),
  })
  const commandLog = composeCommandLog(config, { clock, secrets, telemetry })
  closing.add(() => commandLog.close())
  const shells = createShellDesk(ids, shellSettings(config), commandLog.log)
  const shellSupervisor = createShellSupervisor({
    ...shared,
    shells,
    runners: [local],
    report: (error) => telemetry.fault(error, { requestId: "shells" }),
  })
  const kernel = createKernel({
    ...shared,
    registry,
    schemaHash,
    ids,
    secrets,
    runners,
    chatSessions: createNoChatSessions(),
    telemetry,
    runtime: facts,
    shells,
  })
  const upkeep = await startUpkeep({
    ...shared,
    registry,
    runners,
    telemetry,
    instance: facts.instance,
    probe: createProcessProbe(),
    recoverDomains: async (dead) => {
      await recoverShells({ ...shared, runners, shells }, dead)
      await recoverJobs({ ...shared, runners }, dead)
      await local.fs.recover()
    },
    sweepDomains: async (now) => {
      await sweepSessions(store, now, { closedDays: config.session_retention_days, idleDays: config.session_idle_days })
      await commandLog.sweep(now)
    },
  })
  supervisor.start()
  shellSupervisor.start()
  if (carrier !== undefined) meetHost(carrier, store, telemetry)
  // Undone in reverse: no new calls, then the commands, then their last rows; the row of this instance goes after them.
  closing.add(() => upkeep.stop())
  closing.add(() => nameKept(store, telemetry, carrier === undefined ? local.jobs.hostId : undefined))
  closing.add(() => supervisor.close())
  closing.add(() => shellSupervisor.close())
  closing.add(() => local.close(config.processes_on_shutdown))
  closing.add(() => kernel.drain())
  for (const { path, project, title, description, raw_shell, profile } of config.projects) {
    const { project: registered } = await registerAsOperator(
      { store, runners, ids, secrets, clock },
      {
        path,
        allowedRoots: facts.allowedRoots,
        ...(project === undefined ? {} : { slug: project }),
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
      },
    )
    projectSettings.set(registered.pk, {
      rawShell: raw_shell,
      env: profile?.env ?? [],
      ...(profile?.init === undefined ? {} : { init: profile.init }),
    })
  }
  return {
    config,
    kernel,
    registry,
    store,
    clock,
    ids,
    signals,
    secrets,
    runners,
    telemetry,
    facts,
    schemaHash,
    documents,
    close: () => closing.run(),
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Fixed (spec sessions.md §1.3). */
const RETAINED_EVENTS = 2_000

function runtimeFacts(
  { config, authoritySource }: RuntimeOptions,
  known: Pick<RuntimeFacts, "instance" | "startedAt" | "projects">,
): RuntimeFacts {
  return {
    version: VERSION,
    ...known,
    authority: { mode: config.authority_mode, source: authoritySource },
    features: config.features,
    allowedRoots: config.allowed_roots ?? [homedir()],
    limits: {
      deadline_ms: config.http_deadline_ms,
      reply_limit_chars: config.reply_limit_chars,
      body_limit_bytes: BODY_LIMIT_BYTES,
    },
  }
}
