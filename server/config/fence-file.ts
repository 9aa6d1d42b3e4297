import { readFileSync } from "node:fs"
import { readStrictJson } from "../../core/kernel/strict-json.ts"
import { type FencePolicy, fenceFileSchema, NO_FENCE, operatorFence } from "../../core/shells/fence/policy.ts"
import { ConfigError } from "./config-error.ts"
import { faultText, jsonFaultText, wordsOf } from "./words.ts"

/**
 * The operator's advisory fence (`fence_file`, spec shells.md §8), compiled; none where no file is named.
 * Throws `ConfigError` naming the file and what is wrong with it.
 */
export function readFence(file: string | undefined): FencePolicy {
  if (file === undefined) return NO_FENCE
  const parsed = fenceFileSchema.safeParse(parseJson(file, readText(file)), { error: wordsOf })
  if (parsed.success) return operatorFence(parsed.data)
  const [issue] = parsed.error.issues
  const fault = issue === undefined ? "it is not valid" : faultText(issue).replace(/\.$/, "")
  throw new ConfigError(`The advisory fence in fence_file ${file} is refused: ${fault}. Mend it or unset fence_file.`)
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw new ConfigError(
      `The advisory fence in fence_file ${file} cannot be read; name a readable one or unset fence_file.`,
    )
  }
}

function parseJson(file: string, text: string): object {
  const reading = readStrictJson(text)
  if (reading.ok) return reading.value
  const fault = jsonFaultText(reading.fault)
  throw new ConfigError(`The advisory fence in fence_file ${file} ${fault}; mend it or unset fence_file.`)
}
