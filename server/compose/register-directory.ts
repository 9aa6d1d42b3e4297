import { registerAsOperator } from "../../core/projects/register.ts"
import type { Runtime } from "./runtime.ts"

/** Registers the directory that a command names; `undefined` when it names none. */
export async function registerDirectory(runtime: Runtime, directory: string | undefined): Promise<string | undefined> {
  if (directory === undefined) return undefined
  const { project } = await registerAsOperator(runtime, { path: directory, allowedRoots: runtime.facts.allowedRoots })
  return project.slug
}
