import { homedir } from "node:os"
import { createLocalRoots } from "../../adapters/runners/local/roots/create-local-roots.ts"
import { ToolError } from "../../core/kernel/error.ts"
import { rootRules } from "../../core/projects/locate.ts"
import { isForbiddenRoot } from "../../core/projects/roots-policy.ts"
import type { Config } from "../config/keys.ts"

/** What a start is about to serve. */
export interface ServedPlaces {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly config: Pick<Config, "allowed_roots" | "projects">
  /** The directory that the command names, absolute. */
  readonly directory?: string
}

/**
 * Refuses directories that can be no Project before anything is written, in the words of who starts the process (spec
 * kernel.md §9). Registering them checks again.
 * @throws ToolError `path_not_found`, `path_not_allowed`
 */
export async function requireServable({ dataDir, env, config, directory }: ServedPlaces): Promise<void> {
  const roots = createLocalRoots({ home: homedir(), dataDir, environment: env })
  const rules = await rootRules(roots, { allowedRoots: config.allowed_roots ?? [homedir()], operator: true })
  const named = directory === undefined ? [] : [directory]
  for (const path of [...named, ...config.projects.map((project) => project.path)]) {
    const { realPath, kind } = await roots.inspect(path)
    if (isForbiddenRoot(realPath, rules)) {
      throw new ToolError(
        "path_not_allowed",
        `${path} cannot be served. Name a directory that is no system or home directory, is not in or above the data directory, and is in none such as .git or .ssh.`,
      )
    }
    if (kind === "directory") continue
    throw new ToolError(
      "path_not_found",
      `${path} is ${kind === "missing" ? "not there" : "not a directory"}. Name a directory that exists; the current one is served when none is named.`,
    )
  }
}
