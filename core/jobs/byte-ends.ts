import type { SharedView } from "./output/shared-views.ts"
import { TextView } from "./output/text-view.ts"
import type { StreamSource } from "./reading.ts"

const HEAD_BYTES = 6400
const TAIL_BYTES = 9600

/** First and last bytes of a stream as text, with what lies between counted: for when there is no time to read it. */
export async function byteEnds(source: StreamSource): Promise<SharedView> {
  const view = new TextView("clean")
  if (source.total <= HEAD_BYTES + TAIL_BYTES) {
    const { bytes } = await source.read({ from: 0, max: source.total })
    return { text: view.push(bytes) + view.end(), truncated: bytes.length < source.total, binary: view.binary }
  }
  const head = await source.read({ from: 0, max: HEAD_BYTES })
  const tail = await source.read({ from: source.total - TAIL_BYTES, max: TAIL_BYTES })
  const end = new TextView("clean")
  const first = view.push(head.bytes) + view.end()
  const last = end.push(tail.bytes) + end.end()
  const elided = source.total - head.bytes.length - tail.bytes.length
  const text = `${first}${first.endsWith("\n") ? "" : "\n"}... ${elided} bytes elided ...\n${last}`
  return { text, truncated: true, binary: view.binary || end.binary }
}
