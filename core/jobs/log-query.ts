import { ToolError } from "../kernel/error.ts"
import { invalidField } from "./environment.ts"
import type { LogInput } from "./log-schema.ts"
import { compileLinePattern, type LinePattern } from "./output/line-pattern.ts"
import type { StreamName } from "./record.ts"

/** Which part of a log is asked for: one of the five modes of spec exec-and-jobs.md §7.2. */
export type LogMode =
  | { readonly kind: "tail"; readonly lines: number }
  | { readonly kind: "lines"; readonly from: number; readonly max: number }
  | { readonly kind: "bytes"; readonly from: number; readonly max: number }
  | {
      readonly kind: "grep"
      readonly pattern: LinePattern
      readonly context: number
      readonly from: number
      readonly max: number
    }
  | { readonly kind: "token"; readonly token: string }

/** A checked request for a log. */
export interface LogQuery {
  readonly mode: LogMode
  readonly streams: readonly StreamName[]
  readonly view: "clean" | "raw"
  readonly encoding: "text" | "base64"
}

const COMPANIONS = {
  max_lines: ["from_line"],
  max_bytes: ["from_byte"],
  context_lines: ["grep_pattern"],
  max_matches: ["grep_pattern"],
  wait_secs: ["after_observation_token", "from_byte"],
} as const

/** Exactly one mode and only its own fields. Throws `invalid_arguments`, `budget_invalid` for a pattern. */
export function logQuery(input: LogInput): LogQuery {
  const mode = modeOf(input)
  for (const name of ["max_lines", "max_bytes", "context_lines", "max_matches", "wait_secs"] as const) {
    const owners: readonly (keyof LogInput)[] = COMPANIONS[name]
    if (input[name] !== undefined && !owners.some((owner) => input[owner] !== undefined)) {
      throw invalidField(name, "conflict", `${name} belongs to ${owners.join(" or ")}. Send that too, or leave it out.`)
    }
  }
  if (input.wait_secs !== undefined && mode.kind === "grep") {
    throw invalidField("wait_secs", "conflict", "A search does not wait. Leave wait_secs out.")
  }
  if ((mode.kind === "lines" || mode.kind === "bytes") && input.stream === "both") {
    throw invalidField("stream", "required", "from_line and from_byte read one stream. Name stdout or stderr.")
  }
  if (input.encoding === "base64" && (input.view !== "raw" || mode.kind === "grep")) {
    throw invalidField("encoding", "conflict", "base64 shows raw bytes. Send view raw and no grep_pattern.")
  }
  const streams: readonly StreamName[] = input.stream === "both" ? ["stdout", "stderr"] : [input.stream]
  return { mode, streams, view: input.view, encoding: input.encoding }
}

function modeOf(input: LogInput): LogMode {
  const { tail_lines, from_line, from_byte, grep_pattern, after_observation_token } = input
  const named = Object.entries({ tail_lines, from_line, grep_pattern, after_observation_token, from_byte })
    .filter(([name, value]) => value !== undefined && !(name === "from_byte" && grep_pattern !== undefined))
    .map(([name]) => name)
  if (named.length > 1) throw conflicting(named)
  if (grep_pattern !== undefined) {
    return {
      kind: "grep",
      pattern: compileLinePattern(grep_pattern, "grep_pattern"),
      context: input.context_lines ?? 0,
      from: from_byte ?? 0,
      max: input.max_matches ?? 100,
    }
  }
  if (after_observation_token !== undefined) return { kind: "token", token: after_observation_token }
  if (from_line === 0)
    throw invalidField("from_line", "format", "Lines count from 1, or from -1 at the end. Send one of these.")
  if (from_line !== undefined) return { kind: "lines", from: from_line, max: input.max_lines ?? 500 }
  if (from_byte !== undefined) return { kind: "bytes", from: from_byte, max: input.max_bytes ?? 65_536 }
  return { kind: "tail", lines: tail_lines ?? 200 }
}

function conflicting(fields: readonly string[]): ToolError<"invalid_arguments"> {
  return new ToolError(
    "invalid_arguments",
    `job_log reads in one mode at a time, and ${fields.join(", ")} name more.`,
    {
      details: {
        field: fields[1] ?? "",
        fields: fields.map((path) => ({ path, code: "conflict" })),
        conflicting_fields: [...fields],
      },
    },
  )
}
