import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createSystemClock } from "../../adapters/clock/index.ts"
import type { Confinement } from "../../adapters/runners/local/files/directory.ts"
import { createProjectFs, type LocalProjectFs } from "../../adapters/runners/local/files/project-fs.ts"
import type { ProjectTree } from "../../core/files/fs.ts"
import { createPathPolicy, type PathPolicy } from "../../core/files/policy.ts"
import { createIds } from "../../core/kernel/ids.ts"

/** A temporary root with real files and the local `ProjectFs` over it. */
export interface RunnerFixture {
  readonly home: string
  readonly root: string
  readonly tree: ProjectTree
  readonly fs: LocalProjectFs
  policyOf(tree: ProjectTree): PathPolicy
  write(files: Readonly<Record<string, string | Buffer>>): Promise<void>
  /** Runs git as a user would, with an identity and without any configuration of the machine. */
  git(...args: readonly string[]): string
  close(): Promise<void>
}

/** Environment of a user without git configuration of its own. */
export const plainEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
})

/** Opens a fixture with an empty root. */
export async function openRunnerFixture(confinement?: Confinement): Promise<RunnerFixture> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "hf-tree-")))
  const root = join(home, "root")
  await mkdir(root)
  const fs = createProjectFs({
    dataDir: join(home, "data"),
    clock: createSystemClock(),
    ids: createIds(),
    callIsOpen: async () => false,
    ...(confinement === undefined ? {} : { confinement }),
  })
  return {
    home,
    root,
    tree: { project: "p", root, treePk: "t" },
    fs,
    policyOf: (tree) => createPathPolicy(tree.filePolicy),
    async write(files) {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        await writeFile(join(root, path), content)
      }
    },
    git: (...args) => execFileSync("git", [...args], { cwd: root, env: plainEnvironment(home), encoding: "utf8" }),
    async close() {
      fs.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
