import type { z } from "zod"
import { type WireEvent, wireEventSchema } from "./wire-event.ts"

/** An event with the place behind it. */
export interface PlacedEvent {
  readonly event: WireEvent
  /** Where to go on; absent where this event has no place of its own. */
  readonly id: string | undefined
}

/** What the server remarks when everything that lives has been told of. */
export const BEGUN = "begun"

/** Reads Server-Sent Events from text that arrives in pieces; what is no event of ours is passed over. */
export class EventReader {
  #text = ""

  /** The events that are complete now, and the remark among them. */
  push(chunk: string): readonly (PlacedEvent | typeof BEGUN)[] {
    const blocks = (this.#text + chunk).split("\n\n")
    this.#text = blocks.pop() ?? ""
    return blocks.flatMap(parseBlock)
  }
}

function parseBlock(block: string): readonly (PlacedEvent | typeof BEGUN)[] {
  if (block === `: ${BEGUN}`) return [BEGUN]
  let id: string | undefined
  let name = ""
  let data = ""
  for (const line of block.split("\n")) {
    const at = line.indexOf(": ")
    const value = line.slice(at + 2)
    if (line.startsWith("id: ")) id = value
    else if (line.startsWith("event: ")) name = value
    else if (line.startsWith("data: ")) data = value
  }
  const event = parseEvent(name, data)
  return event === undefined ? [] : [{ event, id }]
}

function parseEvent(name: string, data: string): z.infer<typeof wireEventSchema> | undefined {
  try {
    return wireEventSchema.parse({ ...JSON.parse(data), event: name })
  } catch {
    return undefined
  }
}
