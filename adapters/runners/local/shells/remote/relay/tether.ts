import { setTimeout as sleep } from "node:timers/promises"
import { isToolError, type ToolError } from "../../../../../../core/kernel/error.ts"
import { createChanges } from "../../../host/changes.ts"
import { shellWord } from "../../quote.ts"
import type { Gateway } from "../gateway.ts"
import { connect } from "./connect.ts"
import { type Link, type LinkAnswer, LinkLost } from "./link.ts"

/** The private directory of one shell on its target, and the link to it, renewed as often as it is lost (spec shells.md §9). */
export interface Tether {
  /** Absolute, on the target. */
  readonly directory: string
  /** No link stands now; what was asked is asked again when one does. */
  readonly isRecovering: boolean
  /** Set once the target says that the shell is no more, or must have ended it by itself. */
  readonly gone: GoneReason | undefined
  /** No link will stand before somebody has done something about this. */
  readonly refusal: ToolError | undefined
  /** Where a target that cannot be asked any more was found. */
  readonly place: FarPlace
  /** Of one that is gone on with: what became of the shell meanwhile is known now; until then it is recovering. */
  settle(): void
  /** Resolves when the link was lost or stands again. */
  changed(signal?: AbortSignal): Promise<void>
  /** Rejects with `TargetGone` when the target says so, or when the tether was cut. Only for what may happen twice. */
  request(text: string | Uint8Array): Promise<LinkAnswer>
  /** Part of a far file from an offset, as it arrives; a lost link continues behind the bytes that came. */
  read(path: string, from: number, take: (chunk: Uint8Array) => void): Promise<number>
  /** Ends the link for good; the far directory stays. */
  cut(): void
}

/** Why a target has a shell no more. */
export type GoneReason = "remote_gone" | "container_gone" | "container_restarted"

/** The target was reached, and what we look for is not there any more. */
export class TargetGone extends Error {
  override readonly name = "TargetGone"
  readonly reason: GoneReason

  constructor(reason: GoneReason) {
    super("The target has the shell no more.")
    this.reason = reason
  }
}

const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000] as const
const SILENT_MS = 5000
const WATCHDOG_TICK_MS = 30_000
const CONTACT_MS = 120_000
/** Refusals that no further attempt gets over. */
const NEEDS_SOMEBODY: ReadonlySet<string> = new Set([
  "ssh_auth_required",
  "host_key_changed",
  "host_key_unknown",
  "key_unavailable",
])

/** The work's answer, or `fallback` as soon as the link is lost. */
export async function answerOr<T>(tether: Tether, fallback: T, work: () => Promise<T>): Promise<T> {
  if (tether.isRecovering || tether.gone !== undefined) return fallback
  const settled = new AbortController()
  const lost = async (): Promise<T> => {
    while (!tether.isRecovering && tether.gone === undefined && !settled.signal.aborted)
      await tether.changed(settled.signal)
    return fallback
  }
  const answer = work().catch((error: unknown) => {
    if (error instanceof TargetGone) return fallback
    throw error
  })
  return Promise.race([answer, lost()]).finally(() => settled.abort())
}

/** The target ends the shell by itself after so long without contact, ms: alone, and while something runs in it. */
export interface Silence {
  readonly idle: number
  readonly working: number
}

/** The directory of a shell on its target. */
export interface FarPlace {
  readonly directory: string
  /** Files can be read there from an offset. */
  readonly readsPieces: boolean
}

/** Makes the first link and the directory. Throws the gateway's refusals, `shell_start_failed` phase `remote_dir`. */
export async function openTether(
  gateway: Gateway,
  options: {
    /** Of the directory; nobody else uses it. */
    readonly name: string
    readonly silenceMs: Silence
    /** `NAME=value` that the shell's processes carry. */
    readonly marker: string
    refuseDirectory(): Error
  },
): Promise<Tether> {
  const first = await connect(gateway)
  const made = await first.request(`hf_directory ${options.name}`)
  const [pieces, directory] = made.bytes.toString("utf8").split(" ")
  if (made.status !== 0 || directory === undefined) {
    first.close()
    throw options.refuseDirectory()
  }
  const { idle, working } = options.silenceMs
  const ticks = [idle, working].map((ms) => Math.ceil(ms / WATCHDOG_TICK_MS)).join(" ")
  const begin = `D=${shellWord(directory)}\nhf_boot >"$D/boot"\nhf_contact\nhf_watchdog ${ticks}`
  await first.request(`${begin} ${shellWord(options.marker)}`)
  return createTether(gateway, { directory, readsPieces: pieces === "1" }, { first, silenceMs: options.silenceMs })
}

/** Goes on with a directory that a host which is gone had made; the first link is looked for at once, and as one that was lost. */
export function resumeTether(gateway: Gateway, place: FarPlace, silenceMs: Silence): Tether {
  return createTether(gateway, place, { silenceMs })
}

function createTether(
  gateway: Gateway,
  place: FarPlace,
  { first, silenceMs }: { readonly first?: Link; readonly silenceMs: Silence },
): Tether {
  const { directory, readsPieces } = place
  const changes = createChanges()
  let link: Link | undefined
  const contact = setInterval(() => {
    if (link !== undefined) link.request("hf_contact").catch(() => undefined)
  }, CONTACT_MS)
  contact.unref()
  let isCut = false
  let gone: GoneReason | undefined
  let refusal: ToolError | undefined
  let isSettled = first !== undefined
  if (first === undefined) void reconnect([0, ...RETRY_MS])
  else adopt(first)

  function adopt(fresh: Link): void {
    link = fresh
    refusal = undefined
    void fresh.lost.then(() => {
      if (link !== fresh) return
      link = undefined
      gateway.dropped()
      changes.notify()
      if (!isCut) void reconnect()
    })
    changes.notify()
  }

  function lose(reason: GoneReason): void {
    gone = reason
    changes.notify()
  }

  async function reconnect(pauses: readonly number[] = RETRY_MS): Promise<void> {
    const since = performance.now()
    const mustHaveEndedMs = Math.max(silenceMs.idle, silenceMs.working) + CONTACT_MS
    for (let attempt = 0; !isCut; attempt += 1) {
      await sleep(pauses[Math.min(attempt, pauses.length - 1)], undefined, { ref: false })
      if (isCut) return
      if (performance.now() - since > mustHaveEndedMs) return lose("remote_gone")
      try {
        const fresh = await connect(gateway)
        const found = await fresh.request(`D=${shellWord(directory)}\nhf_same && hf_contact`)
        if (isCut || found.status !== 0) fresh.close()
        else adopt(fresh)
        if (found.status !== 0) lose("remote_gone")
        return
      } catch (error) {
        if (error instanceof TargetGone) return lose(error.reason)
        // The target cannot be reached yet; the next attempt comes.
        refusal = isToolError(error) && NEEDS_SOMEBODY.has(error.kind) ? error : undefined
        changes.notify()
      }
    }
  }

  async function standing(): Promise<Link> {
    for (;;) {
      if (gone !== undefined || isCut) throw new TargetGone(gone ?? "remote_gone")
      if (link !== undefined) return link
      await changes.next()
    }
  }

  /** A link that says nothing for a while is looked at, and given up if its master is of no use. */
  async function watched<T>(use: Link, work: Promise<T>): Promise<T> {
    const timer = setInterval(() => {
      void gateway.isHealthy().then((healthy) => {
        if (!healthy) use.close()
      })
    }, SILENT_MS)
    return work.finally(() => clearInterval(timer))
  }

  async function persist<T>(work: (use: Link) => Promise<T>): Promise<T> {
    for (;;) {
      const use = await standing()
      try {
        return await watched(use, work(use))
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error
      }
    }
  }

  return {
    directory,
    place,
    get refusal() {
      return refusal
    },
    get isRecovering() {
      return !isCut && (!isSettled || (link === undefined && gone === undefined))
    },
    get gone() {
      return gone
    },
    settle() {
      isSettled = true
      changes.notify()
    },
    changed: (signal) => changes.next(signal),
    request: (text) => persist((use) => use.request(text)),
    read(path, from, take) {
      let at = from
      return persist(async (use) => {
        let skip = readsPieces ? 0 : at
        await use.stream(`hf_read ${shellWord(path)} ${at}`, (chunk) => {
          const fresh = chunk.subarray(Math.min(skip, chunk.length))
          skip -= chunk.length - fresh.length
          if (fresh.length === 0) return
          at += fresh.length
          take(fresh)
        })
        return at - from
      })
    },
    cut() {
      isCut = true
      clearInterval(contact)
      link?.close()
      link = undefined
      gateway.close()
      changes.notify()
    },
  }
}
