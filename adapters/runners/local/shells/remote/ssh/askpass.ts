import { execFile } from "node:child_process"
import { closeSync, constants, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { shellWord } from "../../quote.ts"

/** Answers the one question of one client with a password, which stands in no file, argument or environment. */
export interface Askpass {
  /** Of the client that may ask. */
  readonly env: Readonly<Record<string, string>>
  /** The question was answered, or never came: nothing is left. */
  close(): void
}

/**
 * A helper for `SSH_ASKPASS` and a FIFO, mode 0600, that holds the password until the helper has read it once; the helper removes the
 * FIFO's name before it answers, so a second question finds nothing.
 */
export async function createAskpass(directory: string, name: string, password: string): Promise<Askpass> {
  const fifo = join(directory, `${name}.p`)
  const helper = join(directory, `${name}.askpass`)
  await promisify(execFile)("mkfifo", ["-m", "600", fifo])
  const lines = [
    "#!/bin/sh",
    `[ -p ${shellWord(fifo)} ] || exit 1`,
    `IFS= read -r answer <${shellWord(fifo)} || exit 1`,
    `rm -f ${shellWord(fifo)}`,
    `printf '%s\\n' "$answer"`,
    "",
  ]
  writeFileSync(helper, lines.join("\n"), { mode: 0o700, flag: "wx" })
  const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
  writeSync(fd, `${password}\n`)
  let closed = false
  return {
    env: { SSH_ASKPASS: helper, SSH_ASKPASS_REQUIRE: "force", DISPLAY: ":0" },
    close() {
      if (closed) return
      closed = true
      closeSync(fd)
      for (const path of [fifo, helper]) rmSync(path, { force: true })
    },
  }
}
