import { isToolError, ToolError } from "../../../../../core/kernel/error.ts"
import type { Dialect } from "../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import { type LaunchAnswer, launchAnswer, launchText } from "./launch.ts"
import { openChannel } from "./relay/channel.ts"
import type { Relay } from "./relay/relay.ts"
import type { RemoteSeatsPorts } from "./remote-seats.ts"
import type { Predecessor } from "./restoring.ts"

const OPEN_MS = 10_000

/** In the directory where the last generation was; where that is gone, as at the beginning. */
export async function launchAgain(
  spec: ShellSpec,
  relay: Relay,
  { ports, from }: { readonly ports: RemoteSeatsPorts; readonly from: Predecessor | undefined },
): Promise<{ readonly launched: Awaited<ReturnType<typeof launch>>; readonly cwdLost: boolean }> {
  const cwd = lastPlace(from)
  if (from?.cwd?.deleted === true && from.memory?.newest?.kind !== "exit") {
    return { launched: await launchAtStart(spec, relay, ports), cwdLost: true }
  }
  if (cwd === undefined) return { launched: await launch(spec, relay, { ports, cwd: spec.cwd }), cwdLost: false }
  try {
    return { launched: await launch(spec, relay, { ports, cwd }), cwdLost: false }
  } catch (error) {
    if (!isToolError(error) || error.kind !== "cwd_invalid") throw error
    return { launched: await launchAtStart(spec, relay, ports), cwdLost: true }
  }
}

/** As at the beginning; where even that is gone, at the root. */
const launchAtStart = (spec: ShellSpec, relay: Relay, ports: RemoteSeatsPorts): ReturnType<typeof launch> =>
  launch(spec, relay, { ports, cwd: spec.cwd }).catch(() => launch(spec, relay, { ports, cwd: "/" }))

/** Where the old process was at its end; else where it was last seen. */
function lastPlace(from: Predecessor | undefined): string | undefined {
  const { memory, cwd } = from ?? {}
  return (memory?.newest?.kind === "exit" ? memory.cwd : cwd?.path) ?? memory?.cwd
}

async function launch(
  spec: ShellSpec,
  relay: Relay,
  { ports, cwd }: { readonly ports: RemoteSeatsPorts; readonly cwd: string | undefined },
): Promise<{ readonly dialect: Dialect; readonly spareSignal: number; readonly parentGone: Promise<unknown> }> {
  const channel = openChannel(await ports.gateway.side())
  const answered = firstLine(channel.onBytes, channel.ended)
  channel.write(
    launchText({
      directory: relay.directory,
      dialect: spec.dialect,
      exact: spec.exact === true,
      ...(cwd === undefined ? {} : { cwd }),
      env: spec.env,
      marker: spec.shellUid,
    }),
  )
  channel.finish()
  const timer = setTimeout(() => channel.close(), OPEN_MS)
  const line = await answered.finally(() => clearTimeout(timer))
  const answer = launchAnswer(line)
  if (answer.kind === "open") {
    const { dialect, spareSignal } = answer
    return { dialect, spareSignal, parentGone: channel.ended }
  }
  if (answer.kind === "no_answer") throw ports.gateway.explain(await channel.ended)
  throw startRefusal(answer.kind)
}

/** The first line that a far process prints; all that it printed where it ended before. */
export function firstLine(
  onBytes: (listener: (chunk: Uint8Array) => void) => void,
  ended: Promise<unknown>,
): Promise<string> {
  return new Promise((resolve) => {
    let text = ""
    onBytes((chunk) => {
      text += Buffer.from(chunk).toString("latin1")
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")))
    })
    void ended.then(() => resolve(text))
  })
}

/** Why a target could not start what was asked for. */
export function startRefusal(kind: Exclude<LaunchAnswer["kind"], "open" | "no_answer">): ToolError {
  if (kind === "no_shell") {
    return new ToolError("capability_unavailable", "No bash is installed on the target. Name the shell sh.", {
      details: { reason: "shell_missing" },
      executionState: "not_started",
    })
  }
  const reason = kind === "cwd_missing" ? "missing" : "not_directory"
  return new ToolError("cwd_invalid", "The start directory cannot be entered on the target. Name another one.", {
    details: { reason },
    executionState: "not_started",
  })
}
