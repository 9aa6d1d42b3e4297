import { type Command, InvalidArgumentError, Option } from "commander"
import { type ConfigKey, configKeys, configSchema, flagOf, isFileOnly, isList } from "../config/keys.ts"

const collect = (value: string, previous: readonly string[] | undefined): readonly string[] => [
  ...(previous ?? []),
  value,
]

/** Adds the flag of every configuration key that can be given on the command line (spec kernel.md §14). */
export function addConfigFlags(command: Command): Command {
  for (const key of configKeys.filter((key) => !isFileOnly(key))) {
    const description = configSchema.shape[key].description ?? ""
    const option = new Option(`${flagOf(key)} <value>`, isList(key) ? `${description} (repeatable)` : description)
    command.addOption(isList(key) ? option.argParser(collect) : option)
  }
  return command
}

/** The configuration flags among parsed options, by key; everything that was not given is left out. */
export function configFlags(options: Readonly<Record<string, unknown>>): Readonly<Partial<Record<ConfigKey, unknown>>> {
  const given = configKeys
    .map((key) => [key, options[camelCase(key)]] as const)
    .filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** A comma-separated flag value as a list; empty items are a usage fault. */
export function commaList(value: string): readonly string[] {
  const items = value.split(",").map((item) => item.trim())
  if (items.includes("")) throw new InvalidArgumentError("has an empty item.")
  return items
}

/** A life span such as `12h` or `90d` in seconds, or `never`. */
export function lifeSpan(value: string): number | "never" {
  if (value === "never") return value
  const [, amount, unit] = /^(\d{1,6})([hd])$/.exec(value) ?? []
  if (amount === undefined) throw new InvalidArgumentError("must be hours or days such as 12h or 90d, or never.")
  return Number(amount) * (unit === "h" ? 3_600 : 86_400)
}
