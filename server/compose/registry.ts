import type { AnyToolDefinition } from "../../core/kernel/definition.ts"
import { createRegistry, type Registry } from "../../core/kernel/registry.ts"
import { allTools } from "../../core/tools.ts"
import { ConfigError } from "../config/config-error.ts"
import type { Config } from "../config/keys.ts"

/**
 * All tools and those that are added, as the configuration offers them. Switching off what does not exist would leave on what
 * was meant. Throws `ConfigError` for such a name (spec kernel.md §14).
 */
export function composeRegistry(
  config: Pick<Config, "disabled_tools" | "features" | "surface">,
  added: readonly AnyToolDefinition[] = [],
): Registry {
  const registry = createRegistry([...allTools, ...added], {
    disabledTools: config.disabled_tools,
    features: config.features,
    surface: config.surface,
  })
  const unknown = config.disabled_tools.find((name) => !registry.tools.some((tool) => tool.name === name))
  if (unknown === undefined) return registry
  throw new ConfigError(`disabled_tools names "${unknown}", which is no tool; remove it or correct its name.`)
}
