import { ToolError } from "../../kernel/error.ts"
import {
  bytesToUnits,
  decodeText,
  detectForm,
  encodeText,
  firstUnencodable,
  type TextEncoding,
  type TextForm,
  unitsToBytes,
} from "../encodings.ts"
import { decodeUtf8, utf8Bytes } from "../utf8.ts"

/**
 * An existing file as edits see it: a string in which every place has an exact byte position. Under UTF-8 one unit is
 * one byte, so invalid bytes never matter and never change; elsewhere the text itself, proven to round-trip (§4.1).
 */
export interface FileText {
  readonly form: TextForm
  /** Bytes of the whole file. */
  readonly bytes: Uint8Array
  /** The text after the BOM. */
  readonly units: string
  /** A needle or replacement in the same units. */
  toUnits(text: string): string
  /** The bytes of units. */
  toBytes(units: string): Uint8Array
  /** Byte position in `bytes` of a position in `units`. @throws ToolError `encoding_mismatch` if there is none. */
  byteOffset(position: number): number
  /** The text as a reader would see it, for hints; and how many bytes of it are invalid. */
  readable(): { readonly text: string; readonly invalidBytes: number }
}

const noRoundTrip = (encoding: TextEncoding): ToolError =>
  new ToolError(
    "encoding_mismatch",
    `The file is not exactly representable in ${encoding}; read it to find its encoding and send that.`,
    { details: { detected: encoding } },
  )

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

function openBytes(bytes: Uint8Array, form: TextForm): FileText {
  const body = bytes.subarray(form.bomBytes)
  return {
    form,
    bytes,
    units: bytesToUnits(body),
    toUnits: (text) => bytesToUnits(utf8Bytes(text)),
    toBytes: unitsToBytes,
    byteOffset: (position) => form.bomBytes + position,
    readable: () => decodeUtf8(body),
  }
}

function openCharacters(bytes: Uint8Array, form: TextForm): FileText {
  const { encoding, bomBytes } = form
  const body = bytes.subarray(bomBytes)
  const units = decodeText(body, encoding)
  if (!sameBytes(encodeText(units, encoding), body)) throw noRoundTrip(encoding)
  return {
    form,
    bytes,
    units,
    toUnits: (text) => text,
    toBytes: (text) => encodeText(text, encoding),
    byteOffset(position) {
      const before = encodeText(units.slice(0, position), encoding)
      if (!sameBytes(before, body.subarray(0, before.length))) throw noRoundTrip(encoding)
      return bomBytes + before.length
    },
    readable: () => ({ text: units, invalidBytes: 0 }),
  }
}

/**
 * Opens a file's bytes for editing.
 * @param sha256 Hash of the bytes, for the answer about a binary file.
 * @throws ToolError `binary_file`, `unsupported_encoding`, `encoding_mismatch`.
 */
export function openFileText(bytes: Uint8Array, sha256: string, encoding?: TextEncoding): FileText {
  const form = detectForm(bytes, encoding)
  if (form === "binary") {
    throw new ToolError("binary_file", "The file is binary and cannot be edited as text; replace it as a whole.", {
      details: { size_bytes: bytes.length, sha256 },
    })
  }
  return form.encoding === "utf8" ? openBytes(bytes, form) : openCharacters(bytes, form)
}

/**
 * Encodes text to be written; nothing is ever substituted.
 * @throws ToolError `unencodable_text` with the first code point that the encoding lacks.
 */
export function encodeExactly(text: string, encoding: TextEncoding): Uint8Array {
  const lacking = firstUnencodable(text, encoding)
  if (lacking === undefined) return encodeText(text, encoding)
  const codepoint = `U+${lacking.toString(16).toUpperCase().padStart(4, "0")}`
  throw new ToolError(
    "unencodable_text",
    `The text holds ${codepoint}, which ${encoding} cannot represent; leave it out or write the file in another encoding.`,
    { details: { codepoint } },
  )
}
