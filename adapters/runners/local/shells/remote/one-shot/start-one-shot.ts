import type { StartSpec } from "../../../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../../../core/kernel/error.ts"
import { JOB_MARKER } from "../../../host/tree.ts"
import { shellWord } from "../../quote.ts"
import type { Tokens } from "../../tokens.ts"
import type { Gateway } from "../gateway.ts"
import { firstLine, startRefusal } from "../launching.ts"
import { openChannel } from "../relay/channel.ts"
import type { FarProcess } from "../relay/far-process.ts"
import { farMembers } from "../relay/far-tree.ts"
import { createRelay, type Relay } from "../relay/relay.ts"
import { openTether, type Silence, TargetGone, type Tether } from "../relay/tether.ts"
import { refuseDirectory } from "../remote-seats.ts"
import type { OneShotCardKeeper } from "./one-shot-card.ts"
import { oneShotAnswer, oneShotText } from "./one-shot-text.ts"

const OPEN_MS = 10_000
const START_MS = 20_000
const REMOVE_MS = 3000
const LEAST_SILENCE_MS = 600_000

/** The far `sh` that waits for a command. */
export interface FarParent {
  readonly pid: number
  /** Absent where the target does not tell it. */
  readonly startTime?: string
  readonly session?: number
}

/** A command that runs on a target. */
export interface StartedOneShot {
  readonly tether: Tether
  readonly relay: Relay
  readonly token: string
  /** Another host had started it: its bytes come once more from the first one on. */
  readonly isResumed: boolean
  /** Waits for the target; `undefined`: the command never got so far. */
  parent(): Promise<FarParent | undefined>
  /** What is alive of it. */
  members(): Promise<readonly FarProcess[]>
  /** Nothing of it is needed there any more. */
  remove(): Promise<void>
}

/** Starts one command by a relay of its own, without state (spec exec-and-jobs.md §2). Throws the gateway's refusals, `cwd_invalid`. */
export async function startOneShot(
  spec: StartSpec,
  ports: { readonly gateway: Gateway; readonly tokens: Tokens; readonly card: OneShotCardKeeper },
): Promise<StartedOneShot> {
  const marker = { name: JOB_MARKER, value: spec.jobId }
  const word = `${marker.name}=${marker.value}`
  const { card } = ports
  const tether = await openTether(ports.gateway, {
    name: spec.jobId,
    silenceMs: silenceOf(spec),
    marker: word,
    refuseDirectory,
  })
  const relay = createRelay(tether, `${tether.directory}/g0`)
  const token = ports.tokens.next()
  const timer = setTimeout(() => tether.cut(), START_MS)
  let isSent = false
  try {
    card.sending({ place: tether.place, token })
    await relay.make()
    await relay.begin({ token, text: textOf(spec), merged: false, frame: "", ...stdinOf(spec) })
    isSent = true
    const pid = await launch(spec, { gateway: ports.gateway, relay, token, marker })
    const row = await relay.row(pid)
    const born = row === undefined ? {} : { startTime: row.startTime }
    card.started({ pid, ...born })
    const parent = async (): Promise<FarParent> => ({
      pid,
      ...born,
      ...(row === undefined ? {} : { session: row.session }),
    })
    return {
      tether,
      relay,
      token,
      isResumed: false,
      parent,
      members: () => membersOf(relay, { parent, marker: word }),
      async remove() {
        await removed(tether)
        card.remove()
      },
    }
  } catch (error) {
    await tether.request(`hf_end ${shellWord(word)}\nG=${shellWord(relay.directory)}\nhf_forget ${token}`).catch(ignore)
    await removed(tether)
    if (!(error instanceof TargetGone)) throw error
    throw isSent ? startUnknown() : notReached()
  } finally {
    clearTimeout(timer)
  }
}

/** How long a command's target waits for somebody to ask (spec shells.md §9.1). */
export function silenceOf({ timeoutMs }: Pick<StartSpec, "timeoutMs">): Silence {
  const silenceMs = Math.max(2 * timeoutMs, LEAST_SILENCE_MS)
  return { idle: silenceMs, working: silenceMs }
}

/** No process has it. */
const NO_PID = -1

/** What is alive of a command, without the `sh` that waits for it; one that only has its pid is nobody. */
export async function membersOf(
  relay: Relay,
  of: { parent(): Promise<FarParent | undefined>; readonly marker: string },
): Promise<readonly FarProcess[]> {
  const { pid = NO_PID, startTime, session } = (await of.parent()) ?? {}
  const found = pid === NO_PID ? undefined : await relay.row(pid)
  const own = found?.startTime === startTime ? found : undefined
  const members = await farMembers(relay, {
    root: own?.pid ?? NO_PID,
    session: own?.session ?? session,
    marker: of.marker,
  })
  return members.filter((one) => one.pid !== own?.pid)
}

function startUnknown(): ToolError<"outcome_unknown"> {
  return new ToolError(
    "outcome_unknown",
    "The link to the target was lost as the command was given to it; it may have run. Look at its effects before it is run again.",
    { details: { reason: "remote_gone" }, executionState: "outcome_unknown" },
  )
}

function notReached(): ToolError<"ssh_failed"> {
  return new ToolError("ssh_failed", "The link to the target was lost before the command was given to it. Retry.", {
    details: { phase: "connect" },
    recovery: "retry_later",
    executionState: "not_started",
  })
}

const ignore = (): void => undefined

/** A target that cannot be reached clears up by itself (spec shells.md §9.1). */
export async function removed(tether: Tether): Promise<void> {
  const timer = setTimeout(() => tether.cut(), REMOVE_MS)
  await tether.request("hf_remove").catch(ignore)
  clearTimeout(timer)
  tether.cut()
}

function textOf({ command }: StartSpec): string {
  if (command.kind === "shell") return command.text
  throw new ToolError("unsupported_resource", "Only shell text runs on a named resource. Use run_shell or run_job.", {
    executionState: "not_started",
  })
}

const stdinOf = ({ stdin }: StartSpec): { readonly stdin?: string } => (stdin === undefined ? {} : { stdin })

async function launch(
  spec: StartSpec,
  place: {
    readonly gateway: Gateway
    readonly relay: Relay
    readonly token: string
    readonly marker: { readonly name: string; readonly value: string }
  },
): Promise<number> {
  const { gateway, relay, token, marker } = place
  const channel = openChannel(await gateway.side())
  const answered = firstLine(channel.onBytes, channel.ended)
  const shell = spec.command.kind === "shell" ? spec.command.shell : undefined
  channel.write(
    oneShotText({
      directory: relay.directory,
      token,
      ...(shell === undefined ? {} : { shell }),
      ...(spec.cwd === "" ? {} : { cwd: spec.cwd }),
      withStdin: spec.stdin !== undefined,
      env: spec.env,
      marker,
    }),
  )
  channel.finish()
  const timer = setTimeout(() => channel.close(), OPEN_MS)
  const answer = oneShotAnswer(await answered.finally(() => clearTimeout(timer)))
  if (answer.kind === "open") return answer.parent
  if (answer.kind === "no_answer") {
    // A link that was lost meanwhile took the answer with it, and the command may run.
    const parent = Number(await relay.readWord("parent"))
    if (parent > 0) return parent
    throw gateway.explain(await channel.ended)
  }
  throw startRefusal(answer.kind)
}
