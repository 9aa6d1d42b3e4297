import type { Call } from "../kernel/call.ts"
import { shellTopic } from "./commit.ts"
import { resetRequired } from "./errors.ts"
import type { Shell } from "./record.ts"

const MAX_OPENING_MS = 15_000
const REPLY_TIME_MS = 1000

/** The shell once another call that is opening it has its answer. Throws `shell_reset_required` where that takes too long. */
export async function waitUntilOpen(call: Call, shell: Shell): Promise<Shell> {
  const { clock, signals, store } = call.ports
  const until = clock.monotonic() + Math.min(MAX_OPENING_MS, call.deadline.remaining() - REPLY_TIME_MS)
  for (;;) {
    const now = (await store.read((tx) => tx.shells.byUid(shell.shellUid))) ?? shell
    if (now.state !== "opening") return now
    const left = until - clock.monotonic()
    if (left <= 0) throw resetRequired("opening")
    await signals.wait([shellTopic(shell.shellUid)], { timeoutMs: Math.min(left, REPLY_TIME_MS), signal: call.signal })
  }
}
