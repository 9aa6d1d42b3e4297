import createFetchClient, { type Client } from "openapi-fetch"
import type { ClientOptions } from "./client.ts"
import { baseUrlOption, invalidOption } from "./configuration.ts"
import type { paths } from "./generated/schema.ts"

type OperatorPaths = { [Path in keyof paths as Path extends `/api/${string}` ? Path : never]: paths[Path] }

/** Typed access to the operator routes `/api/*` (spec doors.md §5.2). */
export type OperatorClient = Client<OperatorPaths>

const BACK_OFF_MS = 250

/** The operator client; over an in-process transport it has no routes and every use says so. */
export function createOperator(options: ClientOptions): OperatorClient {
  const { baseUrl, token } = options
  if (options.transport !== undefined || baseUrl === undefined || token === undefined) {
    const refuse = (): never => {
      throw invalidOption("transport", "has no operator routes; use a client with baseUrl and token.")
    }
    return createFetchClient<OperatorPaths>({ fetch: refuse })
  }
  const retries = options.retry === false ? 0 : (options.retry?.max ?? 2)
  const request = async (input: Request): Promise<Response> => {
    for (let repeat = 0; ; repeat += 1) {
      const attempt = input.clone()
      attempt.headers.set(
        "authorization",
        `Bearer ${typeof token === "string" ? token : await token({ refresh: false })}`,
      )
      const response = await (options.fetch ?? globalThis.fetch)(attempt, { redirect: "error" })
      if ((response.status !== 429 && response.status !== 503) || repeat >= retries) return response
      await response.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS * 2 ** repeat))
    }
  }
  const base = baseUrlOption(baseUrl, options.allowInsecure ?? false)
  return createFetchClient<OperatorPaths>({ baseUrl: base.href.replace(/\/$/, ""), fetch: request })
}
