import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { BEGUN, EventReader } from "./event-reader.ts"
import type { WireEvent } from "./wire-event.ts"

/** Waits before a connection is tried again, ms. */
const WAITS_MS = [500, 1_000, 2_000, 5_000]
const GONE = "The server is gone; waiting for it."

/** The server cannot be watched at all; the sentence says why and what to do. */
export class WatchRefused extends Error {
  override readonly name = "WatchRefused"
}

/** Which server is watched, and what is told beside events. */
export interface Connection {
  /** Origin, such as `http://127.0.0.1:4747`. */
  readonly url: string
  readonly token: string
  readonly signal: AbortSignal
  /** Told once, when events come from now on. */
  readonly opened: () => void
  /** Told when everything that lives has been told of; what it throws ends the watching. */
  readonly begun: () => Promise<void>
  /** A sentence about the connection itself. */
  readonly note: (sentence: string) => void
}

/**
 * The events of a server until the signal (spec shells.md §13). A connection that is lost is made again behind the last
 * event, so that nothing is left out. Throws `WatchRefused` when the first one cannot be had, or the server refuses.
 */
export async function* watchServer(connection: Connection): AsyncGenerator<WireEvent, void, undefined> {
  const { signal, note, opened } = connection
  let after: string | undefined
  let failures = 0
  let wasOpen = false
  while (!signal.aborted) {
    const response = await open(connection, after)
    if (response === undefined) {
      if (!wasOpen) throw new WatchRefused(`No server answers at ${connection.url}. Start one: holdfast serve.`)
      if (failures === 0) note(GONE)
      const wait = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0
      failures += 1
      await sleep(wait, undefined, { signal }).catch(() => undefined)
      continue
    }
    if (failures > 0) note("The server is back.")
    if (!wasOpen) opened()
    wasOpen = true
    failures = 0
    for await (const told of eventsOf(response)) {
      if (told === BEGUN) {
        await connection.begun()
        continue
      }
      yield told.event
      after = told.id ?? after
    }
    // A server that ends lets its streams go first; asking at once would only be refused.
    if (!signal.aborted) await sleep(WAITS_MS[0], undefined, { signal }).catch(() => undefined)
  }
}

async function open({ url, token, signal }: Connection, after: string | undefined): Promise<Response | undefined> {
  const query = after === undefined ? "" : `?after=${after}`
  let response: Response
  try {
    response = await fetch(`${url}/api/runtime/stream${query}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal,
    })
  } catch {
    return undefined
  }
  if (response.ok) return response
  const refusal = refusalSchema.safeParse(await response.json().catch(() => undefined)).data
  if (response.status === 503 || response.status === 429) return undefined
  throw new WatchRefused(refusal?.error.message ?? `${url} is no Holdfast server that can be watched.`)
}

const refusalSchema = z.object({ error: z.object({ message: z.string() }) })

async function* eventsOf(response: Response) {
  const reader = new EventReader()
  const text = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const part = await text?.read()
      if (part === undefined || part.done) return
      yield* reader.push(part.value)
    }
  } catch {
    // The connection was lost, or we are stopping: either way this one has ended.
  } finally {
    await text?.cancel().catch(() => undefined)
  }
}
