import type { ShellSpec } from "../../../../../../core/shells/runner.ts"
import { SHELL_MARKER } from "../../marker.ts"
import { shellWord } from "../../quote.ts"
import { createSnapshotReader } from "../../snapshot/snapshot-reader.ts"
import type { Gateway } from "../gateway.ts"
import { endFarShell, type GenerationPorts, type OpenedGeneration, snapshotPlace } from "../generation.ts"
import { createSeatMemory } from "../memory.ts"
import { createRelay } from "../relay/relay.ts"
import { resumeTether, type Silence, type Tether } from "../relay/tether.ts"
import { createRemoteSeat } from "../remote-seat.ts"
import { restartOf } from "../restoring.ts"
import type { FarCard, FarGeneration } from "./far-card.ts"
import { keepFarCard } from "./keep-far-card.ts"

/**
 * Goes on with a far generation that another host had opened (spec shells.md §6, §9.1). The target need not be reached for that: until
 * it is, the shell is one whose link is lost.
 */
export function takeUpFar(spec: ShellSpec, from: FarGeneration, ports: GenerationPorts): OpenedGeneration {
  const { card, folder, inherited } = from
  if (card.shell === undefined) throw new Error("a generation without a shell cannot go on")
  const { pid, startTime, ...made } = card.shell
  const born = startTime === undefined ? {} : { startTime }
  const relay = createRelay(ports.tether, `${ports.tether.directory}/g${card.number}`)
  const place = snapshotPlace(relay, made)
  const keeper = keepFarCard(card, folder, ports)
  const memory = createSeatMemory({
    relay,
    place,
    reader: createSnapshotReader({ place, secrets: ports.secrets }),
    tokens: ports.tokens,
    spareSignal: String(made.spareSignal),
    keep: keeper.keep,
    inherited: {
      ...(inherited === undefined ? {} : { snapshot: inherited.snapshot }),
      behind: inherited?.behind ?? 0,
      children: from.children,
      canAbort: from.canAbort,
    },
  })
  const seat = createRemoteSeat(
    {
      dialect: made.dialect,
      relay,
      tether: ports.tether,
      gateway: ports.gateway,
      keeper,
      pid,
      ...born,
      marker: `${SHELL_MARKER}=${spec.shellUid}`,
      cwd: from.cwd,
      memory,
    },
    { tokens: ports.tokens, mask: ports.mask, released: ports.released, before: ports.before },
  )
  // Nobody waits for what nobody goes on with; the target may be out of reach for long.
  endStale(from.stale, ports.tether).catch(() => undefined)
  return {
    seat,
    memory,
    keeper,
    retire: () => endFarShell(relay, { pid, ...born }),
    restart: restartOf(undefined, { snapshot: inherited?.snapshot, lost: [], cwdLost: false }),
  }
}

async function endStale(stale: readonly FarCard[], tether: Tether): Promise<void> {
  for (const { number, shell } of stale) {
    const relay = createRelay(tether, `${tether.directory}/g${number}`)
    if (shell !== undefined) await endFarShell(relay, shell)
  }
}

const END_MS = 60_000

/** Ends all that is left of a far shell with which nobody goes on, if its target can be reached within a minute. */
export async function endFarRelay(
  { place, marker }: { readonly place: FarCard["place"]; readonly marker: string },
  gateway: Gateway,
  silenceMs: Silence,
): Promise<void> {
  const tether = resumeTether(gateway, place, silenceMs)
  const timer = setTimeout(() => tether.cut(), END_MS)
  timer.unref()
  // A target that cannot be reached clears up by itself.
  await tether.request(`hf_end ${shellWord(marker)}\nhf_remove`).catch(() => undefined)
  clearTimeout(timer)
  tether.cut()
}
