import { createSystemClock } from "../../../adapters/clock/index.ts"
import { LocalGit } from "../../../adapters/runners/local/git/git.ts"
import { LocalSearch } from "../../../adapters/runners/local/search/search.ts"
import { openStore } from "../../../adapters/storage/index.ts"
import type { OverviewCall } from "../../../core/files/overview/overview.ts"
import type { SearchCall } from "../../../core/files/search/search-texts.ts"
import type { GitCall } from "../../../core/git/observe.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import type { Project } from "../../../core/projects/record.ts"
import { openRunnerFixture, plainEnvironment } from "../../contract/runner-fixture.ts"

/** What a test changes of a call. */
export interface CallChanges {
  readonly budgetChars?: number
  readonly remainingMs?: number
  readonly signal?: AbortSignal
}

/** A Project with real files, store, search and git, and calls of the observing tools in it. */
export async function openObservedProject() {
  const fixture = await openRunnerFixture()
  const store = await openStore({ dataDir: `${fixture.home}/store` })
  const ids = createIds()
  const { fs, policyOf, root, home } = fixture
  const environment = plainEnvironment(home)
  const search = new LocalSearch({ fs, policyOf, environment })
  const git = new LocalGit({ fs, policyOf, environment })
  const project: Project = {
    pk: ids.projectPk(),
    slug: "p",
    clientId: "local",
    root,
    kind: "registered",
    gitAboveRoot: false,
    revision: 1,
    createdAt: 0,
    updatedAt: 0,
  }
  const call = (changes: CallChanges = {}): SearchCall & GitCall & OverviewCall => ({
    callId: ids.call(),
    invocationId: ids.invocation(),
    requireProject: () => project,
    deadline: {
      at: Number.POSITIVE_INFINITY,
      handoverAt: Number.POSITIVE_INFINITY,
      remaining: () => changes.remainingMs ?? Number.POSITIVE_INFINITY,
    },
    signal: changes.signal ?? new AbortController().signal,
    budget: { chars: changes.budgetChars ?? 90_000 },
    pathGuard: undefined,
    ports: { store, clock: createSystemClock(), secrets: createSecretRegistry() },
    runner: () => ({ fs, search, git, confinement: fs.confinement }),
  })
  return {
    ...fixture,
    call,
    async close() {
      await store.close()
      await fixture.close()
    },
  }
}

/** A test project of the observing tools. */
export type ObservedProject = Awaited<ReturnType<typeof openObservedProject>>
