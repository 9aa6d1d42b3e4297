import { z } from "zod"

/** A Project's name: lower-case letters, digits and `._-`, 1..64 (spec kernel.md §9). */
export const slugSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "must be 1 to 64 of a-z, 0-9, dot, _ and -, and begin with a letter or digit")

const MAX_DERIVED = 60

/** The slug that a folder's name gives: lower case, other characters `-`, trimmed of `-._`, ≤ 60, `project` when nothing is left. */
export function slugOfFolder(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9._-]/gu, "-")
  const trimmed = plain.replace(/^[-._]+/, "").replace(/[-._]+$/, "")
  return trimmed.slice(0, MAX_DERIVED) || "project"
}

/** The first of `base`, `base-2`, `base-3`, … that is not taken. */
export function freeSlug(base: string, taken: readonly string[]): string {
  const used = new Set(taken)
  if (!used.has(base)) return base
  let number = 2
  while (used.has(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}
