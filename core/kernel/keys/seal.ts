import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

/** Largest ToolResult that is kept for replay, in bytes (spec doors.md §2.5). */
export const MAX_RETAINED_BYTES = 256 * 1024

const NONCE_BYTES = 12
const TAG_BYTES = 16
const PURPOSE = "holdfast.call-key.v1"

/**
 * Encrypts a ToolResult's JSON with AES-256-GCM under a key that only the caller's call key gives; the data directory holds
 * no readable output. `undefined` when it is over `MAX_RETAINED_BYTES`.
 */
export function sealResult(json: string, callKey: string, rowName: string): Uint8Array | undefined {
  const plain = Buffer.from(json)
  if (plain.byteLength > MAX_RETAINED_BYTES) return undefined
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv("aes-256-gcm", derivedKey(callKey, rowName), nonce)
  cipher.setAAD(Buffer.from(rowName))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts what `sealResult` made. @throws when it was altered or the key is another one. */
export function openResult(sealed: Uint8Array, callKey: string, rowName: string): string {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv("aes-256-gcm", derivedKey(callKey, rowName), bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(rowName))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const plain = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
  return Buffer.concat(plain).toString("utf8")
}

function derivedKey(callKey: string, rowName: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", callKey, rowName, PURPOSE, 32))
}
