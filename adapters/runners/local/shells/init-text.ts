import { startFailed } from "./errors.ts"
import type { OutputSink, Seat, SeatEnd } from "./transport.ts"

const INIT_MS = 30_000

/** Its output is nobody's. */
const NOWHERE: OutputSink = { accept: () => undefined, quiet: () => undefined }

/**
 * Runs what the configuration wants run once when a shell is opened (spec shells.md §3); its status says nothing. Throws
 * `shell_start_failed` when the shell did not live through it within 30 s; the shell is then ended.
 */
export async function runInit(seat: Seat, text: string): Promise<void> {
  const run = seat.run({ text, streams: "split", tty: false, env: [], sink: NOWHERE })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), INIT_MS)
  })
  const end: SeatEnd | undefined = await Promise.race([run.end, late]).finally(() => clearTimeout(timer))
  end?.release()
  if (end?.kind === "status") return
  await seat.close("kill")
  throw startFailed(
    "init",
    end === undefined ? "It took longer than 30 seconds." : "The shell did not live through it.",
  )
}
