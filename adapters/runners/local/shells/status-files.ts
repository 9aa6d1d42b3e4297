import { existsSync, readdirSync, unlinkSync } from "node:fs"
import { join } from "node:path"

/** The files whose names carry exit statuses (spec shells.md §5.2). */
export interface StatusFiles {
  /** Status of the command with this token; `undefined`: not there yet. */
  find(token: string): number | undefined
  remove(token: string, status: number): void
}

/** Looks into one generation's directory. */
export function createStatusFiles(directory: string): StatusFiles {
  const path = (token: string, status: number): string => join(directory, `${token}.${status}`)

  function names(): readonly string[] {
    try {
      return readdirSync(directory)
    } catch {
      return []
    }
  }

  return {
    find(token) {
      if (existsSync(path(token, 0))) return 0
      const name = names().find((candidate) => candidate.startsWith(`${token}.`))
      const status = Number(name?.slice(token.length + 1))
      return Number.isInteger(status) && status >= 0 && status <= 255 ? status : undefined
    },
    remove(token, status) {
      try {
        unlinkSync(path(token, status))
      } catch {
        // The directory went with its generation.
      }
    },
  }
}
