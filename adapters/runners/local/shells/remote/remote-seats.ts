import { ToolError } from "../../../../../core/kernel/error.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import type { MaskText } from "../../host/naming.ts"
import { SHELL_MARKER } from "../marker.ts"
import { shellWord } from "../quote.ts"
import type { Tokens } from "../tokens.ts"
import type { Seat, SeatCheckpoints, SeatOpener } from "../transport.ts"
import type { FarGeneration } from "./adopt/far-card.ts"
import type { FarCardPorts } from "./adopt/keep-far-card.ts"
import { takeUpFar } from "./adopt/take-up-far.ts"
import { createCheckpoints } from "./checkpoints/checkpoints.ts"
import type { Gateway } from "./gateway.ts"
import { type GenerationPorts, type OpenedGeneration, openGeneration } from "./generation.ts"
import { runChannel } from "./relay/channel.ts"
import { openTether, resumeTether, type Silence, type Tether } from "./relay/tether.ts"
import type { Predecessor } from "./restoring.ts"

/** What far shells need beside their spec. */
export interface RemoteSeatsPorts extends FarCardPorts {
  readonly gateway: Gateway
  readonly tokens: Tokens
  readonly mask: MaskText
}

/** The generations of one shell on a target, and how its link is. */
export interface RemoteSeats extends SeatOpener {
  /** The tether of the generations that live; absent before the first and after the last. */
  readonly tether: Tether | undefined
  readonly checkpoints: SeatCheckpoints
}

const CLOSE_REQUEST_MS = 3000
const CHECKPOINT_MS = 120_000

/** Opens far generations over one way to a target; `adopted`: the first one was another host's. */
export function createRemoteSeats(spec: ShellSpec, ports: RemoteSeatsPorts, adopted?: FarGeneration): RemoteSeats {
  const opened = new Map<Seat, OpenedGeneration>()
  let tether: Tether | undefined
  let number = adopted === undefined ? 0 : Math.max(adopted.card.number, ...adopted.stale.map((one) => one.number)) + 1
  let generation = adopted?.card.generation ?? 0
  let initialCwd = adopted?.card.initialCwd ?? "/"
  const marker = `${SHELL_MARKER}=${spec.shellUid}`
  const workspace = spec.reach.kind === "local" ? undefined : spec.reach.workspace
  const checkpoints = createCheckpoints(
    {
      place: () =>
        tether === undefined || workspace === undefined ? undefined : { directory: tether.directory, workspace },
      async run(script) {
        const answer = await runChannel(await ports.gateway.side(), { input: script, timeoutMs: CHECKPOINT_MS })
        return answer.stdout.toString("utf8")
      },
      now: ports.now,
    },
    workspace?.automatic === true,
    adopted?.card.automatic,
  )

  async function held(): Promise<Tether> {
    if (tether?.gone !== undefined) {
      tether.cut()
      tether = undefined
      ports.gateway.renew()
    }
    tether ??= await openTether(ports.gateway, {
      name: spec.shellUid,
      silenceMs: silenceFor(spec),
      marker,
      refuseDirectory,
    })
    return tether
  }

  async function release(seat: Seat, how: "ended" | "left"): Promise<void> {
    const generation = opened.get(seat)
    opened.delete(seat)
    if (how === "left") generation?.keeper.close()
    else generation?.keeper.remove()
    if (opened.size > 0 && how === "ended") await generation?.retire().catch(() => undefined)
    if (opened.size > 0 || tether === undefined) return
    const last = tether
    tether = undefined
    // The directory of a command that has an older process for itself is that of a shell which lives on.
    if (how === "left" || adopted?.card.detached === true) {
      last.cut()
      return
    }
    const timer = setTimeout(() => last.cut(), CLOSE_REQUEST_MS)
    // A target that cannot be reached ends the shell by itself (spec shells.md §9.1).
    await last.request("hf_remove").catch(() => undefined)
    clearTimeout(timer)
    last.cut()
  }

  const portsWith = (line: Tether, seat: () => Seat | undefined): GenerationPorts => ({
    ...ports,
    tether: line,
    before: checkpoints.before,
    released: async (how) => {
      const which = seat()
      if (which !== undefined) await release(which, how)
    },
  })

  function takeUp(from: FarGeneration): Seat {
    tether = resumeTether(ports.gateway, from.card.place, silenceFor(spec))
    const taken = takeUpFar(
      spec,
      from,
      portsWith(tether, () => taken.seat),
    )
    opened.set(taken.seat, taken)
    return taken.seat
  }

  async function next(from: Predecessor | undefined, made: { readonly generation: number }): Promise<OpenedGeneration> {
    const line = await held()
    const options = { ...made, number, ...(from === undefined ? {} : { from }) }
    number += 1
    try {
      const fresh = await openGeneration(
        spec,
        options,
        portsWith(line, () => fresh.seat),
      )
      opened.set(fresh.seat, fresh)
      return fresh
    } catch (error) {
      if (opened.size === 0) {
        tether = undefined
        // Nothing is left behind, as far as the target can be reached.
        await line.request(`hf_end ${shellWord(marker)}\nhf_remove`).catch(() => undefined)
        line.cut()
      }
      throw error
    }
  }

  return {
    get tether() {
      return tether
    },
    checkpoints,
    async open() {
      if (adopted !== undefined) return takeUp(adopted)
      const { seat, keeper } = await next(undefined, { generation })
      await checkpoints.prepare()
      initialCwd = (await seat.cwd()).path
      keeper.ready({ initialCwd, automatic: checkpoints.isAutomatic })
      return seat
    },
    async reopen(last, why) {
      const old = opened.get(last)
      const before = tether
      if (tether?.gone === undefined) await old?.memory.fetch()
      const from = { why, ...(old === undefined ? {} : { memory: old.memory, cwd: await last.cwd() }) }
      const fresh = await next(from, { generation: generation + 1 })
      generation += 1
      // What runs on in the old process is its own only after a detach.
      if (why.reason === "detached") last.detach()
      fresh.keeper.ready({ initialCwd, automatic: checkpoints.isAutomatic })
      if (why.reason !== "detached") {
        opened.delete(last)
        if (tether === before) await old?.retire()
        old?.keeper.remove()
      }
      return { seat: fresh.seat, restart: fresh.restart }
    },
  }
}

/** No place for the relay's directory on the target. */
export function refuseDirectory(): ToolError<"shell_start_failed"> {
  return new ToolError(
    "shell_start_failed",
    "No directory on the target can be written: TMPDIR, /tmp, /dev/shm and HOME were tried. Make one writable.",
    { details: { phase: "remote_dir" }, executionState: "not_started" },
  )
}

const LEAST_SILENCE_MS = 600_000
const UNLIMITED_SILENCE_MS = 86_400_000

/** How long the shell of a spec lives without contact (spec shells.md §9.1). */
export const silenceFor = ({
  idleTtlMs,
  backgroundTtlMs,
}: Pick<ShellSpec, "idleTtlMs" | "backgroundTtlMs">): Silence => ({
  idle: silenceOf(idleTtlMs),
  working: silenceOf(backgroundTtlMs),
})

function silenceOf(ttlMs: number): number {
  return ttlMs === 0 ? UNLIMITED_SILENCE_MS : Math.max(2 * ttlMs, LEAST_SILENCE_MS)
}
