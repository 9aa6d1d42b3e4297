import type { ByteMaskFactory } from "../../adapters/runners/local/host/byte-mask.ts"

/** Masks literals only; enough to see that a host masks before it stores. */
export const plainMask: ByteMaskFactory = (secrets) => {
  let held = ""
  let count = 0
  const longest = Math.max(0, ...secrets.map((secret) => secret.value.length - 1))
  const mask = (text: string): string =>
    secrets.reduce(
      (masked, secret) =>
        masked.replaceAll(secret.value, () => {
          count += 1
          return `[redacted:${secret.name}]`
        }),
      text,
    )
  return {
    push(chunk) {
      const text = mask(held + Buffer.from(chunk).toString("latin1"))
      const cut = Math.max(0, text.length - longest)
      held = text.slice(cut)
      return Buffer.from(text.slice(0, cut), "latin1")
    },
    end() {
      const rest = Buffer.from(held, "latin1")
      held = ""
      return rest
    },
    get masked() {
      return count
    },
  }
}
