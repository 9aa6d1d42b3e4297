import { type Row, type Target, verdictOf } from "./row.ts"

const HEAD = ["measure", "p50", "floor", "ratio", "target", ""] as const

/** The rows as text in columns, one line each. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)))
  const put = (line: readonly string[]): string =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
  return lines.map((line) => put(line).trimEnd()).join("\n")
}

function cellsOf(row: Row): readonly string[] {
  const { name, unit, subject, floor, target } = row
  const show = (value: number): string => `${shortened(value, unit)} ${unit}`
  const ratio = floor === undefined || floor === 0 ? "" : `${(subject / floor).toFixed(2)} x`
  return [name, show(subject), floor === undefined ? "" : show(floor), ratio, targetText(target, unit), verdictOf(row)]
}

function targetText(target: Target, unit: string): string {
  switch (target.kind) {
    case "at_most":
      return `<= ${target.ratio} x`
    case "at_least":
      return `>= ${target.ratio} x`
    case "above_floor":
      return `<= floor + ${target.by} ${unit}`
    case "limit":
      return `<= ${target.value} ${unit}`
    case "shown":
      return ""
  }
}

function shortened(value: number, unit: Row["unit"]): string {
  if (unit !== "ms") return String(Math.round(value))
  if (value < 0.1) return value.toFixed(4)
  return value < 10 ? value.toFixed(3) : value.toFixed(1)
}
