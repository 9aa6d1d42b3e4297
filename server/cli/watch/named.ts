import { z } from "zod"
import { WatchRefused } from "./connection.ts"
import { ownerOf, type WireEvent } from "./wire-event.ts"

const answerSchema = z.object({
  error: z.object({ kind: z.string() }).optional(),
  output: z.object({ terminal: z.boolean() }).optional(),
})

/** The shells and commands that were named; none of them: all are meant. */
export class Named {
  readonly #ids: ReadonlySet<string>
  readonly #unseen: Set<string>

  constructor(ids: readonly string[]) {
    this.#ids = new Set(ids)
    this.#unseen = new Set(ids)
  }

  /** Whether an event is of one of them. */
  has(event: WireEvent): boolean {
    if (this.#ids.size === 0) return true
    const ids = [ownerOf(event), ...("job_id" in event ? [String(event.job_id)] : [])]
    for (const id of ids) this.#unseen.delete(id)
    return ids.some((id) => this.#ids.has(id))
  }

  /**
   * Asked once all that lives has been told of. Throws `WatchRefused` for one that the server does not know (or does not show
   * to this caller, which is told alike), and where nothing of them can ever happen again.
   */
  async check(server: { readonly url: string; readonly token: string }): Promise<void> {
    const unseen = [...this.#unseen]
    this.#unseen.clear()
    const ended: string[] = []
    for (const id of unseen) {
      const standing = await standingOf(id, server)
      if (standing === "unknown") throw new WatchRefused(`${id} is no Job and no live shell of yours. ${ADVICE}`)
      if (standing === "ended") ended.push(id)
    }
    const [first] = ended
    if (first !== undefined && ended.length === this.#ids.size) throw new WatchRefused(`${first} has ended. ${ADVICE}`)
  }
}

const ADVICE = "holdfast watch without an id shows everything that lives."

/** Where a thing stands of which nothing was told so far: a live shell would have been. */
async function standingOf(
  id: string,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<"unknown" | "ended" | "live"> {
  if (!id.startsWith("wc_job_")) return "unknown"
  try {
    const response = await fetch(`${url}/tools/job_status`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ job_id: id }),
    })
    const { error, output } = answerSchema.parse(await response.json())
    if (error !== undefined) return UNKNOWN.has(error.kind) ? "unknown" : "live"
    return output?.terminal === true ? "ended" : "live"
  } catch {
    // The server has gone meanwhile, which the connection tells: nothing is known against this id.
    return "live"
  }
}

const UNKNOWN: ReadonlySet<string> = new Set(["job_not_found", "invalid_arguments"])
