import type { Facts } from "./events.ts"

const MAX_FACTS = 16
const MAX_TEXT = 120
const MAX_LIST = 8

const cut = (text: string): string => (text.length <= MAX_TEXT ? text : [...text].slice(0, MAX_TEXT).join(""))

/** Facts within their bounds: ≤ 16 keys, strings ≤ 120 characters, lists ≤ 8 (spec kernel.md §1); the rest is left out. */
export function boundFacts(facts: Facts): Facts {
  const kept: Facts = {}
  for (const [name, value] of Object.entries(facts).slice(0, MAX_FACTS)) {
    if (typeof value === "string") kept[name] = cut(value)
    else kept[name] = Array.isArray(value) ? value.slice(0, MAX_LIST).map(cut) : value
  }
  return kept
}
