import { ToolError } from "../../core/kernel/error.ts"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

/** What the `Authorization` header says: a credential to look up, or why there is none. */
export type BearerFinding =
  | { readonly token: string; readonly error?: never }
  | { readonly error: ToolError<"unauthenticated">; readonly token?: never }

/**
 * The credential of a request: exactly one `Authorization: Bearer` line (spec kernel.md §2.2). Query strings, cookies
 * and bodies are never looked at.
 */
export function bearerToken(rawHeaders: RawHeaders): BearerFinding {
  const [line, ...more] = headerValues(rawHeaders, "authorization")
  if (line === undefined) return refusal("missing", "Send the access token as Authorization: Bearer <token>.")
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(line.trim())?.[1]
  if (more.length === 0 && token !== undefined) return { token }
  return refusal("malformed", "Send exactly one Authorization header of the form Bearer <token>.")
}

/** `WWW-Authenticate` of a 401: what scheme is asked for, and whether a credential was sent and failed. */
export function bearerChallenge(error: ToolError): string {
  const sent = !(isUnauthenticated(error) && error.details?.reason === "missing")
  return sent ? 'Bearer realm="holdfast", error="invalid_token"' : 'Bearer realm="holdfast"'
}

function isUnauthenticated(error: ToolError): error is ToolError<"unauthenticated"> {
  return error.kind === "unauthenticated"
}

function refusal(reason: "missing" | "malformed", nextStep: string): BearerFinding {
  return {
    error: new ToolError("unauthenticated", `No usable access token came with the request. ${nextStep}`, {
      details: { reason },
    }),
  }
}
