import { ConfigError } from "./config-error.ts"
import { configKeys, isFileOnly, variableOf } from "./keys.ts"

const PREFIX = "HOLDFAST_"

/** Variables that are no configuration keys: where things are, what marks our own children, and what people give to hosts. */
const OTHERS = new Set(["DATA_DIR", "CONFIG", "TOKEN", "JOB", "SHELL"].map((name) => PREFIX + name))
/** Variables of test runs. */
const TESTS = /^HOLDFAST_(?:TEST|BENCH|FUZZ)(?:_|$)/

/**
 * Refuses a variable that looks like one of ours and is none: a misspelt key would otherwise be silently ignored (spec
 * kernel.md §14). An empty one counts as unset.
 * @throws ConfigError naming the variable
 */
export function requireKnownVariables(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === undefined || value === "") continue
    if (OTHERS.has(name) || TESTS.test(name)) continue
    const key = configKeys.find((each) => variableOf(each) === name)
    if (key === undefined) throw new ConfigError(`Unknown environment variable ${name}; unset it or correct its name.`)
    if (!isFileOnly(key)) continue
    throw new ConfigError(`Environment variable ${name} sets nothing; write "${key}" into the configuration file.`)
  }
}
