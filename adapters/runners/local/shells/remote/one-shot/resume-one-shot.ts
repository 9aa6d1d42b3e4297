import { JOB_MARKER } from "../../../host/tree.ts"
import type { Gateway } from "../gateway.ts"
import { createRelay } from "../relay/relay.ts"
import { resumeTether } from "../relay/tether.ts"
import type { OneShotCard } from "./one-shot-card.ts"
import { type FarParent, membersOf, removed, type StartedOneShot, silenceOf } from "./start-one-shot.ts"

/**
 * Goes on with a command that a host which is gone had given to a target; that need not be reached for it (spec shells.md §9.1).
 * `forget`: nothing of it is needed any more.
 */
export function resumeOneShot(
  jobId: string,
  { sent, parent, timeoutMs }: OneShotCard & { readonly sent: NonNullable<OneShotCard["sent"]> },
  { gateway, forget }: { readonly gateway: Gateway; forget(): void },
): StartedOneShot {
  const { place, token } = sent
  const tether = resumeTether(gateway, place, silenceOf({ timeoutMs }))
  const relay = createRelay(tether, `${place.directory}/g0`)
  let found: Promise<FarParent | undefined> | undefined

  /** The host may have died before it was told. */
  async function find(): Promise<FarParent | undefined> {
    const pid = Number(await relay.readWord("parent"))
    if (!(pid > 0)) return undefined
    const row = await relay.row(pid)
    return { pid, ...(row === undefined ? {} : { startTime: row.startTime }) }
  }

  const parentOf = (): Promise<FarParent | undefined> => {
    found ??= parent === undefined ? find() : Promise.resolve(parent)
    return found
  }

  return {
    tether,
    relay,
    token,
    isResumed: true,
    parent: parentOf,
    members: () => membersOf(relay, { parent: parentOf, marker: `${JOB_MARKER}=${jobId}` }),
    async remove() {
      await removed(tether)
      forget()
    },
  }
}
