import { ToolError } from "../../core/kernel/error.ts"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

// One optional charset, quoted or not; blanks may stand round the semicolon only (RFC 9110 §8.3.1).
const JSON_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i

/** Whether a request announces a body at all: a length above zero, or a transfer coding. */
export function announcesBody(rawHeaders: RawHeaders): boolean {
  if (headerValues(rawHeaders, "transfer-encoding").length > 0) return true
  return headerValues(rawHeaders, "content-length").some((length) => Number(length) !== 0)
}

/**
 * Step 9 of the gate (spec doors.md §2.2): no content coding, no transfer coding but chunked; exactly one `Content-Type`, JSON in UTF-8. Neither body nor
 * type is fine and means `{}`.
 */
export function checkMediaType(rawHeaders: RawHeaders): ToolError | undefined {
  const codings = headerValues(rawHeaders, "content-encoding")
  const [type, ...more] = headerValues(rawHeaders, "content-type")
  const transfer = headerValues(rawHeaders, "transfer-encoding")
  if (transfer.length > 1 || transfer.some((coding) => coding.trim().toLowerCase() !== "chunked"))
    return unsupported("Send it with a Content-Length, or with Transfer-Encoding: chunked alone.")
  const plain = codings.every((coding) => coding.trim().toLowerCase() === "identity") && codings.length <= 1
  if (!plain) return unsupported("Send the body uncompressed, without Content-Encoding.")
  if (type === undefined && !announcesBody(rawHeaders)) return undefined
  if (type !== undefined && more.length === 0 && JSON_TYPE.test(type.trim())) return undefined
  return unsupported("Send exactly one header Content-Type: application/json, with no parameter but charset=utf-8.")
}

function unsupported(sentence: string): ToolError {
  return new ToolError("unsupported_media_type", `The body is not plain JSON in UTF-8. ${sentence}`)
}
