import { type Command, InvalidArgumentError, Option } from "commander"
import { type ConfigKey, configKeys, configSchema, flagOf, isFileOnly, isHttpOnly, isList } from "../config/keys.ts"
import { valueText } from "../config/value-text.ts"

const collect = (value: string, previous: readonly string[] | undefined): readonly string[] => [
  ...(previous ?? []),
  value,
]

/** Adds the flag of every configuration key that can be given on the command line and matters behind the door (spec kernel.md §14). */
export function addConfigFlags(command: Command, door: "http" | "stdio"): Command {
  const offered = configKeys.filter((key) => !isFileOnly(key) && (door === "http" || !isHttpOnly(key)))
  for (const key of offered) {
    const option = new Option(`${flagOf(key)} <value>`)
    command.addOption(isList(key) ? option.argParser(collect) : option)
  }
  // What a key takes is worked out for the help alone, not at each start.
  return command.configureHelp({
    optionDescription: (option) => {
      const key = offered.find((each) => flagOf(each) === option.long)
      return key === undefined ? option.description : descriptionOf(key)
    },
  })
}

function descriptionOf(key: ConfigKey): string {
  const parts = [configSchema.shape[key].description, isList(key) ? "(repeatable)" : "", valueText(key)]
  return parts.filter((part) => part !== undefined && part !== "").join(" ")
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

/** A comma-separated flag value as a list, after the items of the same flag before it; empty items are a usage fault. */
export function commaList(value: string, previous: readonly string[] = []): readonly string[] {
  const items = value.split(",").map((item) => item.trim())
  if (items.includes("")) throw new InvalidArgumentError("has an empty item.")
  return [...previous, ...items]
}

const HOUR_SECS = 3_600
const DAY_SECS = 86_400
const LONGEST_DAYS = 3_650

/** A life span such as `12h` or `90d` in seconds, from one hour to 3650 days (spec kernel.md §2.2). */
export function lifeSpan(value: string): number {
  const [, amount, unit] = /^(\d{1,6})([hd])$/.exec(value) ?? []
  const seconds = Number(amount) * (unit === "h" ? HOUR_SECS : DAY_SECS)
  if (amount === undefined || seconds < HOUR_SECS || seconds > LONGEST_DAYS * DAY_SECS) {
    throw new InvalidArgumentError(`give hours or days between 1h and ${LONGEST_DAYS}d, such as 12h or 90d.`)
  }
  return seconds
}

/** A life span, or `never` for a token without end. */
export function lifeSpanOrNever(value: string): number | "never" {
  return value === "never" ? value : lifeSpan(value)
}
