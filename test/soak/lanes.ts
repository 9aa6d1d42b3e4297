import { setTimeout as sleep } from "node:timers/promises"
import { type HoldfastClient, HoldfastError } from "../../sdk/index.ts"
import { drawExecution } from "./executions.ts"
import type { Tally } from "./tally.ts"

const LANES = 8
const REOPEN_EVERY = 200
const TIMEOUT_SECS = 60

/** How long the lanes go on: until either is reached. */
export interface Until {
  readonly executions: number
  /** As `performance.now()`. */
  readonly at: number
}

/** Eight users at once, each with a live shell of its own beside one-shots. */
export interface Lanes {
  /** Every second command runs in the shell; now and then a shell is destroyed and another one opened. */
  run(until: Until): Promise<void>
  /** Destroys the shells. */
  close(): Promise<void>
}

/** Opens the shells. */
export async function openLanes(
  { tools }: Pick<HoldfastClient, "tools">,
  options: { readonly project: string; readonly tally: Tally },
): Promise<Lanes> {
  const { project, tally } = options
  const open = async (): Promise<string> =>
    (await tools.session_create({ transport: "local", shell: "bash" })).session_id
  const destroy = (shell: string) => tools.session_destroy({ session_id: shell })
  const shells = await Promise.all(Array.from({ length: LANES }, open))

  async function inShell(shell: string): Promise<void> {
    const wanted = drawExecution()
    const input = { session_id: shell, command: wanted.command, timeout_secs: TIMEOUT_SECS }
    const { stdout, stderr, exit_code: exit } = await tools.session_exec(input)
    tally.judge("shell", wanted, { stdout, stderr, exit })
  }

  async function asOneShot(): Promise<void> {
    const wanted = drawExecution()
    const input = { project, command: wanted.command, timeout_secs: TIMEOUT_SECS, background: "keep" as const }
    const output = await tools.run_shell(input).catch(outputOf)
    // A shell's result is without its last newlines, a one-shot's is not.
    const [stdout, stderr] = [output.stdout.trimEnd(), output.stderr.trimEnd()]
    tally.judge("one-shot", wanted, { stdout, stderr, exit: output.exit_code })
  }

  async function runLane(lane: number, mayGoOn: () => boolean): Promise<void> {
    for (let turn = 1; mayGoOn(); turn++) {
      try {
        const shell = shells[lane] ?? ""
        await (turn % 2 === 0 ? asOneShot() : inShell(shell))
        if (turn % REOPEN_EVERY !== 0) continue
        await destroy(shell)
        shells[lane] = await open()
      } catch (error) {
        tally.fail(error)
        await sleep(50)
      }
    }
  }

  return {
    async run({ executions, at }) {
      let issued = 0
      const mayGoOn = (): boolean => performance.now() < at && issued++ < executions
      await Promise.all(shells.map((_, lane) => runLane(lane, mayGoOn)))
    },
    async close() {
      await Promise.all(shells.map(destroy))
    },
  }
}

/** A command that did not end with 0 is an error with its output beside it. */
function outputOf(error: unknown): {
  readonly stdout: string
  readonly stderr: string
  readonly exit_code: number | null
} {
  if (!(error instanceof HoldfastError) || error.kind !== "process_exit") throw error
  const { stdout, stderr, exit_code } = JSON.parse(JSON.stringify(error.output))
  return { stdout, stderr, exit_code }
}
