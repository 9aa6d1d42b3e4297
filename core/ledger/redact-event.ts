/** Masks secrets in one text; the kernel's redactor (spec kernel.md §12). Masking twice changes nothing. */
export type Redact = (text: string) => string

/** Members whose values are ids or words of a closed set: masking one would make its row unreadable. */
const VOCABULARY = new Set([
  "kind",
  "event_id",
  "door",
  "call_id",
  "invocation_id",
  "role",
  "tool_name",
  "effect",
  "activity",
  "status",
  "mode",
  "requested_mode",
  "effective_mode",
  "default_shell",
  "execution_state",
  "recovery",
  "request_id",
  "reason",
  "risk",
  "outcome",
  "job_id",
  "declared",
  "classification",
])

/** Members whose own members are named by definitions: nothing in them is exempt. */
const OPEN = new Set(["facts", "validation", "output"])

function walk(value: unknown, redact: Redact, open: boolean): unknown {
  if (typeof value === "string") return redact(value)
  if (Array.isArray(value)) return value.map((item) => walk(item, redact, open))
  if (typeof value !== "object" || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value))
    copy[name] = !open && VOCABULARY.has(name) ? member : walk(member, redact, open || OPEN.has(name))
  return copy
}

/** A copy of an event in which every free string is masked; names of members, ids and closed words stay (spec sessions.md §5.8). */
export function redactEvent(event: object, redact: Redact): unknown {
  return walk(event, redact, false)
}
