import type { z } from "zod"
import { fileKinds } from "../files/error-kinds.ts"
import { jobKinds } from "../jobs/error-kinds.ts"
import { messageKinds } from "../messages/error-kinds.ts"
import { sessionKinds } from "../sessions/error-kinds.ts"
import { shellKinds } from "../shells/error-kinds.ts"
import { doorKinds } from "./errors/door-kinds.ts"
import { kernelKinds } from "./errors/kernel-kinds.ts"
import type { ErrorRow, Recovery } from "./errors/row.ts"

/**
 * The closed table of everything that can go wrong: HTTP status, recovery and shape of `details` per kind
 * (spec kernel.md §6). Each domain states its own rows.
 */
export const ERROR_KINDS = {
  ...kernelKinds,
  ...doorKinds,
  ...sessionKinds,
  ...messageKinds,
  ...jobKinds,
  ...shellKinds,
  ...fileKinds,
} as const satisfies Record<string, ErrorRow>

/** Every error kind that can leave Holdfast. */
export type ErrorKind = keyof typeof ERROR_KINDS

/** The `details` of a kind; `undefined` for a kind that has none. */
export type ErrorDetails<K extends ErrorKind> = K extends ErrorKind
  ? (typeof ERROR_KINDS)[K] extends { readonly details: infer S extends z.ZodObject }
    ? z.input<S>
    : undefined
  : never

/** All kinds, in table order. */
export const errorKinds: readonly ErrorKind[] = Object.keys(ERROR_KINDS).filter(
  (kind): kind is ErrorKind => kind in ERROR_KINDS,
)

/** Kinds of the HTTP gate (spec doors.md §2.2): the request never reached the kernel, so no ToolResult exists. */
export const gateKinds: readonly ErrorKind[] = [
  "host_denied",
  "origin_denied",
  "route_not_found",
  "method_not_allowed",
  "unauthenticated",
  "unsupported_media_type",
  "payload_too_large",
  "invalid_json",
  "rate_limited",
  "shutting_down",
  "idempotency_key_invalid",
]

/** HTTP status of a call refused with this kind before its handler was entered (spec kernel.md §6). */
export const httpStatusOf = (kind: ErrorKind): number => ERROR_KINDS[kind].http

/** Default recovery of a kind (spec kernel.md §6). */
export const recoveryOf = (kind: ErrorKind): Recovery => ERROR_KINDS[kind].recovery
