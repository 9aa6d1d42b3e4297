import { randomBytes } from "node:crypto"

const TOKEN_BYTES = 16
const BATCH = 256

/** Makes words nobody can guess. */
export interface Tokens {
  /** 32 hex: 128 random bits (spec shells.md §5.2). */
  next(): string
}

/** Draws randomness for many tokens at once: a command needs several. */
export function createTokens(): Tokens {
  let pool = Buffer.alloc(0)
  let at = 0
  return {
    next() {
      if (at >= pool.length) {
        pool = randomBytes(TOKEN_BYTES * BATCH)
        at = 0
      }
      at += TOKEN_BYTES
      return pool.toString("hex", at - TOKEN_BYTES, at)
    },
  }
}
