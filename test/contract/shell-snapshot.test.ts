import { afterEach, describe, expect, it } from "vitest"
import { restartReason } from "../../adapters/runners/local/shells/snapshot/restart-reason.ts"
import type { Snapshot } from "../../adapters/runners/local/shells/snapshot/types.ts"
import { type FifoShell, type FifoShellOptions, openFifoShell } from "../support/fifo-shell.ts"

const opened: FifoShell[] = []

async function open(options: FifoShellOptions = {}): Promise<FifoShell> {
  const shell = await openFifoShell(options)
  opened.push(shell)
  return shell
}

afterEach(async () => {
  for (const shell of opened.splice(0)) await shell.close()
})

/** Runs a text, takes the idle snapshot, and gives a new shell that was restored from it. */
async function reborn(
  text: string,
  options: FifoShellOptions = {},
): Promise<{ shell: FifoShell; failed: readonly string[] }> {
  const first = await open(options)
  expect(await first.run(text)).toMatchObject({ status: 0 })
  const record = await first.idle()
  if (record === undefined) throw new Error(`no record came: ${first.diagnostics()}`)
  return next(record.snapshot, options)
}

async function next(
  snapshot: Snapshot,
  options: FifoShellOptions = {},
): Promise<{ shell: FifoShell; failed: readonly string[] }> {
  const shell = await open(options)
  return { shell, failed: await shell.restore(snapshot) }
}

describe("bash", () => {
  it("L22: variables, functions, aliases, options, umask and cwd are in a new process as they were", async () => {
    const { shell, failed } = await reborn(
      "f(){ echo F; }; export A=1; declare -A m=([k]=v); alias g='echo G'; shopt -s nullglob; umask 027; cd /usr",
    )
    expect(failed).toEqual([])
    const after = await shell.run("f; echo $A ${m[k]}\ng\nshopt nullglob; umask; env | grep ^A=")
    expect(after.stdout).toMatch(/^F\n1 v\nG\nnullglob\s+on\n0027\nA=1\n$/)
  })
})
