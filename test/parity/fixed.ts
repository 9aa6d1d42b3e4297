import { setTimeout as delay } from "node:timers/promises"
import type { Clock } from "../../core/kernel/clock.ts"
import { createIds, type Ids } from "../../core/kernel/ids.ts"

/** A clock whose hands stand still while its sleeps take their real time: commands run, and no time is in any result. */
export const standingClock: Clock = {
  now: () => 1_795_000_000_000,
  monotonic: () => 0,
  sleep: (ms, signal) => delay(Math.min(ms, 2 ** 31 - 1), undefined, signal && { signal }),
  after(ms, fire) {
    const timer = setTimeout(fire, Math.min(ms, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/**
 * Ids that count, each kind for itself: a door that mints more request ids than another one does not shift the ids of calls.
 * `series` keeps two servers on one data directory apart.
 */
export function countingIds(series: number): Ids {
  const counting = (): Ids => {
    let count = 0
    return createIds((size) => {
      count += 1
      const bytes = new Uint8Array(size)
      const view = new DataView(bytes.buffer)
      view.setUint8(0, series)
      view.setUint32(size - 4, count)
      return bytes
    })
  }
  const kinds = {
    session: counting(),
    event: counting(),
    call: counting(),
    invocation: counting(),
    permission: counting(),
    job: counting(),
    message: counting(),
    credential: counting(),
    projectPk: counting(),
    instance: counting(),
    shellUid: counting(),
    boundShell: counting(),
    token: counting(),
  }
  return {
    session: () => kinds.session.session(),
    event: () => kinds.event.event(),
    call: () => kinds.call.call(),
    invocation: () => kinds.invocation.invocation(),
    permission: () => kinds.permission.permission(),
    job: () => kinds.job.job(),
    message: () => kinds.message.message(),
    credential: () => kinds.credential.credential(),
    projectPk: () => kinds.projectPk.projectPk(),
    instance: () => kinds.instance.instance(),
    shellUid: () => kinds.shellUid.shellUid(),
    boundShell: () => kinds.boundShell.boundShell(),
    token: () => kinds.token.token(),
    secret: createIds().secret,
  }
}
