const [ESCAPE, FIRST_C1, LAST_C1] = ["\u001b", "\u0080", "\u009f"]
/** Parameters, intermediates and the final character. */
const CSI = `${ESCAPE}\\[[ -?]*[@-~]`
const SEQUENCES = new RegExp(CSI, "g")
/** Every C0 control but TAB, LF, CR and ESC, every C1 control, and an ESC that begins no whole CSI. */
const OTHER = new RegExp(
  `[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001a\\u001c-\\u001f${FIRST_C1}-${LAST_C1}]|${ESCAPE}(?!\\[[ -?]*[@-~])`,
)
const MOVES = new RegExp(`[\\r${ESCAPE}]`)

/**
 * Control reduction (shells.md §4.3) of whole lines that hold no other controls than `\r` and CSI sequences, as colours and
 * progress do: line by line, without a look at each character. `undefined` for other texts, and for a line of more than
 * `maxUnits`.
 */
export function reduceSimpleLines(text: string, maxUnits: number): string | undefined {
  if (OTHER.test(text)) return undefined
  if (!MOVES.test(text)) return text
  let out = ""
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from)
    if (end === -1 || end - from > maxUnits) return undefined
    out += `${lastShown(text.slice(from, end))}\n`
    from = end + 1
  }
  return out
}

/** What remains on a line: what was written after the last `\r` that text follows. */
function lastShown(line: string): string {
  for (let end = line.length; ; ) {
    const from = line.lastIndexOf("\r", end - 1) + 1
    const shown = withoutSequences(line.slice(from, end))
    if (shown !== "" || from === 0) return shown
    end = from - 1
    if (end === 0) return ""
  }
}

const withoutSequences = (text: string): string => (text.includes(ESCAPE) ? text.replace(SEQUENCES, "") : text)
