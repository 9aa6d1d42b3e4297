import { ToolError } from "../../../../../core/kernel/error.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import type { MaskText } from "../../host/naming.ts"
import { shellWord } from "../quote.ts"
import type { Tokens } from "../tokens.ts"
import type { Seat, SeatCheckpoints, SeatOpener } from "../transport.ts"
import { createCheckpoints } from "./checkpoints/checkpoints.ts"
import type { Gateway } from "./gateway.ts"
import { type OpenedGeneration, openGeneration } from "./generation.ts"
import { runChannel } from "./relay/channel.ts"
import { openTether, type Tether } from "./relay/tether.ts"

/** What far shells need beside their spec. */
export interface RemoteSeatsPorts {
  readonly gateway: Gateway
  readonly tokens: Tokens
  readonly mask: MaskText
  /** Values that no snapshot keeps. */
  secrets(): readonly string[]
  /** Wall clock, ms. */
  now(): number
}

/** The generations of one shell on a target, and how its link is. */
export interface RemoteSeats extends SeatOpener {
  /** The tether of the generations that live; absent before the first and after the last. */
  readonly tether: Tether | undefined
  readonly checkpoints: SeatCheckpoints
}

const CLOSE_REQUEST_MS = 3000
const CHECKPOINT_MS = 120_000

/** Opens far generations over one way to a target. */
export function createRemoteSeats(spec: ShellSpec, ports: RemoteSeatsPorts): RemoteSeats {
  const opened = new Map<Seat, OpenedGeneration>()
  let tether: Tether | undefined
  let generation = 0
  const marker = `HOLDFAST_SHELL=${spec.shellUid}`
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
  )

  async function held(): Promise<Tether> {
    if (tether?.gone !== undefined) {
      tether.cut()
      tether = undefined
      ports.gateway.renew()
    }
    tether ??= await openTether(ports.gateway, {
      name: spec.shellUid,
      silenceMs: { idle: silenceOf(spec.idleTtlMs), working: silenceOf(spec.backgroundTtlMs) },
      marker,
      refuseDirectory,
    })
    return tether
  }

  async function release(seat: Seat, how: "ended" | "left"): Promise<void> {
    opened.delete(seat)
    if (opened.size > 0 || tether === undefined) return
    const last = tether
    tether = undefined
    if (how === "left") {
      last.cut()
      return
    }
    const timer = setTimeout(() => last.cut(), CLOSE_REQUEST_MS)
    // A target that cannot be reached ends the shell by itself (spec shells.md §9.1).
    await last.request("hf_remove").catch(() => undefined)
    clearTimeout(timer)
    last.cut()
  }

  async function next(options: Omit<Parameters<typeof openGeneration>[1], "directory">): Promise<OpenedGeneration> {
    const line = await held()
    const directory = `${line.directory}/g${generation}`
    generation += 1
    try {
      const fresh = await openGeneration(
        spec,
        { ...options, directory },
        {
          ...ports,
          tether: line,
          before: checkpoints.before,
          released: (how) => release(fresh.seat, how),
        },
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
      const { seat } = await next({})
      await checkpoints.prepare()
      return seat
    },
    async reopen(last, why) {
      const old = opened.get(last)
      const before = tether
      if (tether?.gone === undefined) await old?.memory.fetch()
      const fresh = await next({
        from: { why, ...(old === undefined ? {} : { memory: old.memory, cwd: await last.cwd() }) },
      })
      // What runs on in the old process is its own only after a detach.
      if (why.reason === "detached") last.detach()
      else {
        opened.delete(last)
        if (tether === before) await old?.retire()
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

/** How long a shell lives without contact (spec shells.md §9.1). */
function silenceOf(ttlMs: number): number {
  return ttlMs === 0 ? UNLIMITED_SILENCE_MS : Math.max(2 * ttlMs, LEAST_SILENCE_MS)
}
