import type { ProjectFs } from "../files/fs.ts"
import type { ProjectSearch } from "../files/search/search.ts"
import type { Git } from "../git/git.ts"
import type { JobRunner } from "../jobs/runner.ts"
import type { ProjectRoots } from "../projects/roots.ts"
import type { ShellRunner } from "../shells/runner.ts"

/** The machine-side executor of Projects (design §2): processes, files, search, git, directories. */
export interface Runner {
  /** `local`, later the ids of remote Runners. */
  readonly clientId: string
  /** How paths are confined here (spec files-and-git.md §1.3). */
  readonly confinement: "anchored" | "checked"
  readonly fs: ProjectFs
  readonly search: ProjectSearch
  readonly git: Git
  readonly jobs: JobRunner
  readonly shells: ShellRunner
  readonly roots: ProjectRoots
}

/** Finds the Runner that owns a Project (port `RunnerDirectory`, spec kernel.md). */
export interface RunnerDirectory {
  /** `undefined` for an unknown or unreachable Runner. */
  get(clientId: string): Runner | undefined
  ids(): readonly string[]
}
