import { setTimeout as sleep } from "node:timers/promises"
import { behindFrame, MAX_KEPT_BYTES } from "../own-output.ts"
import type { Tokens } from "../tokens.ts"
import type { Relay } from "./relay/relay.ts"

const MARK_MS = 1000
const LOOK_MS = 5

/** What a far shell that is gone wrote for itself since its last frame (spec shells.md §5.6). */
export interface FarOwnOutput {
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** Some of it is missing. */
  readonly cut: boolean
}

/** Reads both of its streams, ≤ 1 MiB each; `command`: the path that the frame sourced, which traces show. */
export async function readFarOwnOutput(
  command: string,
  ports: { readonly relay: Relay; readonly tokens: Tokens },
): Promise<FarOwnOutput> {
  const [out, err] = await Promise.all([readStream("out", ports), readStream("err", ports)])
  return { stdout: out.bytes, stderr: behindFrame(err.bytes, command), cut: out.cut || err.cut }
}

async function readStream(
  pipe: "out" | "err",
  { relay, tokens }: { readonly relay: Relay; readonly tokens: Tokens },
): Promise<{ readonly bytes: Buffer; readonly cut: boolean }> {
  const word = tokens.next()
  await relay.mark(pipe, word)
  let bytes: Buffer = Buffer.alloc(0)
  for (const until = performance.now() + MARK_MS; performance.now() < until; ) {
    const chunks: Uint8Array[] = [bytes]
    const size = await relay.read(`${pipe}.d`, bytes.length, (chunk) => chunks.push(Uint8Array.from(chunk)))
    bytes = Buffer.concat(chunks)
    const end = bytes.indexOf(word)
    if (end >= 0) return { bytes: bytes.subarray(0, Math.min(end, MAX_KEPT_BYTES)), cut: end > MAX_KEPT_BYTES }
    if (bytes.length > MAX_KEPT_BYTES) break
    if (size === 0) await sleep(LOOK_MS)
  }
  return { bytes: bytes.subarray(0, MAX_KEPT_BYTES), cut: true }
}
