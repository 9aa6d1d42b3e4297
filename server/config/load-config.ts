import { readFileSync } from "node:fs"
import path from "node:path"
import { z } from "zod"
import { type JsonObject, readStrictJson } from "../../core/kernel/strict-json.ts"
import { ConfigError } from "./config-error.ts"
import {
  type Config,
  type ConfigKey,
  configKeys,
  configSchema,
  flagOf,
  isFileOnly,
  isList,
  type Source,
  variableOf,
} from "./keys.ts"
import { isLoopbackAddress } from "./origin.ts"
import { requireKnownVariables } from "./variables.ts"
import { faultText, jsonFaultText, wordsOf } from "./words.ts"

/** The configuration of one process, with the source of each value for error sentences and `runtime_status`. */
export interface LoadedConfig {
  readonly config: Config
  readonly sources: Readonly<Record<ConfigKey, Source>>
}

/** Values as they were given: flags already split by key, the environment, and where the data directory is. */
export interface ConfigInput {
  readonly flags: Readonly<Partial<Record<ConfigKey, unknown>>>
  /** `--config PATH`. */
  readonly file?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly dataDir: string
}

function parseFile(file: string, text: string): JsonObject {
  const reading = readStrictJson(text)
  if (reading.ok) return reading.value
  const fault = jsonFaultText(reading.fault)
  throw new ConfigError(`The configuration file ${file} ${fault}; mend it or start with --config another file.`)
}

function readConfigFile({ file, env, dataDir }: ConfigInput): {
  readonly name: string
  readonly values: JsonObject
} {
  const named = file ?? (env["HOLDFAST_CONFIG"] || undefined)
  const name = named ?? path.join(dataDir, "config.json")
  let text: string
  try {
    text = readFileSync(name, "utf8")
  } catch (error) {
    const missing = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")
    if (named === undefined && missing) return { name, values: {} }
    throw new ConfigError(`The configuration file ${name} cannot be read; name a readable one with --config.`)
  }
  const values = parseFile(name, text)
  const unknown = Object.keys(values).find((key) => !configKeys.some((known) => known === key))
  if (unknown !== undefined)
    throw new ConfigError(`Unknown key "${unknown}" in ${name}; remove it or correct its name.`)
  return { name, values }
}

function fromVariable(key: ConfigKey, text: string): unknown {
  return isList(key)
    ? text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")
    : text
}

function pick(key: ConfigKey, input: ConfigInput, file: JsonObject): { value: unknown; source: Source } {
  if (input.flags[key] !== undefined) return { value: input.flags[key], source: "flag" }
  // As for the data directory, an empty variable counts as unset.
  const variable = isFileOnly(key) ? "" : (input.env[variableOf(key)] ?? "")
  if (variable !== "") return { value: fromVariable(key, variable), source: "env" }
  if (file[key] !== undefined) return { value: file[key], source: "file" }
  return { value: undefined, source: "default" }
}

function describeSource(key: ConfigKey, source: Source, fileName: string): string {
  if (source === "flag") return `flag ${flagOf(key)}`
  if (source === "env") return `environment variable ${variableOf(key)}`
  return source === "file" ? `"${key}" in ${fileName}` : `default of ${key}`
}

/** Rules that concern more than one key (spec doors.md §2.2). */
function checkTogether(config: Config): void {
  if (!isLoopbackAddress(config.host) && config.public_url === undefined && config.allow_host.length === 0) {
    throw new ConfigError(
      `host ${config.host} is reachable from other machines: set public_url or allow_host to the names under which it is called, or listen on 127.0.0.1.`,
    )
  }
}

/**
 * The configuration by precedence flag > environment > file > default (spec kernel.md §14).
 * Throws `ConfigError` naming key and source for an unknown key or variable, a bad value or an unreadable file.
 */
export function loadConfig(input: ConfigInput): LoadedConfig {
  requireKnownVariables(input.env)
  const file = readConfigFile(input)
  const picked = configKeys.map((key) => ({ key, ...pick(key, input, file.values) }))
  const given = picked.filter(({ value }) => value !== undefined)
  const parsed = configSchema.safeParse(Object.fromEntries(given.map(({ key, value }) => [key, value])), {
    error: wordsOf,
  })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const fault = picked.find(({ key }) => key === issue?.path[0])
    if (issue === undefined || fault === undefined) throw new ConfigError("The configuration is not valid.")
    const what = faultText({ ...issue, path: issue.path.slice(1) })
    throw new ConfigError(
      `Bad value for ${describeSource(fault.key, fault.source, file.name)}: ${what.replace(/\.$/, "")}.`,
    )
  }
  checkTogether(parsed.data)
  return {
    config: parsed.data,
    sources: sourcesSchema.parse(Object.fromEntries(picked.map(({ key, source }) => [key, source]))),
  }
}

const sourcesSchema = z.record(z.enum(configKeys), z.enum(["flag", "env", "file", "default"]))
