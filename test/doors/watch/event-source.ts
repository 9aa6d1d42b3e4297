import type { WatchEvent } from "../../../core/watching/events.ts"

/** One event as it came over the wire. */
export interface ReceivedEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

/** An open stream of a server. */
export interface EventSource extends AsyncDisposable {
  readonly status: number
  readonly response: Response
  /** Everything that has been read. */
  readonly events: readonly ReceivedEvent[]
  /** Reads on until the condition holds. Throws when the stream ends before. */
  until(holds: (events: readonly ReceivedEvent[]) => boolean): Promise<readonly ReceivedEvent[]>
  /** Resolves when the server has ended it. */
  ended(): Promise<void>
  close(): Promise<void>
}

/** Opens `GET /api/runtime/stream`. */
export async function openEvents(
  url: string,
  {
    token,
    after,
    headers = {},
  }: { readonly token: string; readonly after?: string; readonly headers?: Record<string, string> },
): Promise<EventSource> {
  const stop = new AbortController()
  const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`
  const response = await fetch(`${url}/api/runtime/stream${query}`, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
    signal: stop.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const events: ReceivedEvent[] = []
  let text = ""
  const step = async (): Promise<boolean> => {
    const part = await reader?.read()
    if (part === undefined || part.done) return false
    text += part.value
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    events.push(...blocks.flatMap(parseBlock))
    return true
  }
  const close = async (): Promise<void> => {
    stop.abort()
    await reader?.cancel().catch(() => undefined)
  }
  return {
    status: response.status,
    response,
    events,
    async until(holds) {
      while (!holds(events)) if (!(await step())) throw new Error(`The stream ended after ${JSON.stringify(events)}`)
      return events
    },
    async ended() {
      while (await step());
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function parseBlock(block: string): readonly ReceivedEvent[] {
  const fields = new Map(
    block.split("\n").flatMap((line) => {
      const [name, value] = line.split(/: (.*)/s)
      return name === undefined || name === "" || value === undefined ? [] : [[name, value] as const]
    }),
  )
  const event = fields.get("event")
  return event === undefined ? [] : [{ id: fields.get("id"), event, data: JSON.parse(fields.get("data") ?? "{}") }]
}

/** The text of one stream of one Job, put together; offsets have to join. */
export function textOf(
  events: readonly ReceivedEvent[],
  jobId: unknown,
  stream: "stdout" | "stderr" = "stdout",
): string {
  let text = ""
  let at: unknown
  for (const { event, data } of events) {
    if (data["job_id"] !== jobId || data["stream"] !== stream || (event !== "output" && event !== "gap")) continue
    if (at !== undefined && data["offset"] !== at)
      throw new Error(`offset ${String(data["offset"])} after ${String(at)}`)
    at = Number(data["offset"]) + Number(data["bytes"])
    text += event === "gap" ? `<gap ${String(data["bytes"])}>` : String(data["text"])
  }
  return text
}

/** Whether an event of this kind came for this Job. */
export const has = (events: readonly ReceivedEvent[], event: WatchEvent["event"], jobId?: unknown): boolean =>
  events.some((one) => one.event === event && (jobId === undefined || one.data["job_id"] === jobId))
