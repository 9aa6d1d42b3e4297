import type { Gateway } from "../gateway.ts"
import { openChannel } from "./channel.ts"
import { createLink, type Link, LinkLost } from "./link.ts"
import { RELAY_SCRIPT } from "./relay-script.ts"

const HANDSHAKE_MS = 25_000

/** One attempt: a client whose far `sh` knows the relay's functions. Throws the gateway's refusals. */
export async function connect(gateway: Gateway): Promise<Link> {
  const channel = openChannel(await gateway.link())
  const link = createLink(channel)
  const timer = setTimeout(() => link.close(), HANDSHAKE_MS)
  try {
    await link.request(`:\n}\n${RELAY_SCRIPT}\n{ :`)
    return link
  } catch (error) {
    gateway.dropped()
    throw error instanceof LinkLost ? gateway.explain(error.end) : error
  } finally {
    clearTimeout(timer)
  }
}
