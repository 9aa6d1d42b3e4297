import { styleText } from "node:util"
import type { Terminal } from "../terminal.ts"

/** How a line looks on a person's terminal. */
export type Look = "plain" | "dim" | "bold" | "good" | "bad"

/** Gives a text its look. */
export type Paint = (look: Look, text: string) => string

const STYLES = { dim: "dim", bold: "bold", good: "green", bad: "red" } as const

/** Colour only on a terminal, and not where `NO_COLOR` is set or the terminal is dumb. */
export function paintFor({ stdout, env }: Terminal): Paint {
  const isColoured = stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb"
  if (!isColoured) return (_, text) => text
  return (look, text) => (look === "plain" ? text : styleText(STYLES[look], text, { validateStream: false }))
}

/** One line without control characters: what an agent wrote must not steer the terminal. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
}

/** A time as people read it, UTC: `2026-05-04 03:02:01`. */
export function timeText(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? "-" : date.toISOString().slice(0, 19).replace("T", " ")
}
