import { randomBytes } from "node:crypto"
import { constants } from "node:fs"
import { link, open, rename, rm } from "node:fs/promises"
import path from "node:path"
import type { LocalTokenFile } from "../../core/access/local-token.ts"

const MAX_BYTES = 256
const OTHERS = 0o077

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a whole new file beside `target`, 0600 and on disk, and gives its path. */
async function writeBeside(target: string, text: string): Promise<string> {
  const temporary = `${target}.${randomBytes(8).toString("hex")}`
  const handle = await open(temporary, "wx", 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return temporary
}

/** The local token's file `<data>/local-token` (port `LocalTokenFile`, spec kernel.md §2.2). */
export function createLocalTokenFile(dataDir: string): LocalTokenFile {
  const target = path.join(dataDir, "local-token")
  return {
    path: target,
    async read() {
      try {
        const handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
        try {
          const found = await handle.stat()
          if (!found.isFile()) return "not_a_file"
          const { mode, size } = found
          if ((mode & OTHERS) !== 0) return "exposed"
          return { secret: size > MAX_BYTES ? "" : (await handle.readFile("utf8")).trim() }
        } finally {
          await handle.close()
        }
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined
        // A link, a socket, or a device that is not there.
        if (["ELOOP", "ENXIO", "ENODEV"].some((code) => code === codeOf(error))) return "not_a_file"
        throw error
      }
    },
    async create(secret) {
      const temporary = await writeBeside(target, `${secret}\n`)
      try {
        await link(temporary, target)
      } catch (error) {
        if (codeOf(error) === "EEXIST") return false
        throw error
      } finally {
        await rm(temporary, { force: true })
      }
      await syncDirectory(dataDir)
      return true
    },
    async replace(secret) {
      await rename(await writeBeside(target, `${secret}\n`), target)
      await syncDirectory(dataDir)
    },
  }
}
