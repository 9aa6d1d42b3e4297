import type { Client } from "openapi-fetch"
import { invalidOption, type RetryPolicy } from "./configuration.ts"
import type { paths } from "./generated/schema.ts"
import type { Http } from "./http.ts"

/** The paths of the document that are no tools. */
export type OperatorPaths = { [Path in keyof paths as Path extends `/api/${string}` ? Path : never]: paths[Path] }

/** Typed access to the operator routes `/api/*` (spec doors.md §5.2). */
export type OperatorClient = Client<OperatorPaths>

/** What operator requests share with calls. */
export interface OperatorOptions {
  readonly http: Http
  /** With a trailing slash. */
  readonly baseUrl: URL
  readonly timeoutMs: number
  readonly retry: RetryPolicy
}

/**
 * The operator client, as if it were there: programs that only call tools never load its library. Without options (a
 * transport that is not HTTP) every use rejects with `configuration_invalid`.
 */
export function createOperator(options: OperatorOptions | undefined): OperatorClient {
  const load = async (): Promise<OperatorClient> => {
    if (options === undefined) throw invalidOption("transport", "has no operator routes; use baseUrl")
    return (await import("./operator-http.ts")).createHttpOperator(options)
  }
  let loaded: Promise<OperatorClient> | undefined
  return new Proxy<OperatorClient>(Object.create(null), {
    get(_target, name) {
      if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined
      return async (...args: readonly unknown[]) => {
        loaded ??= load()
        return Reflect.get(await loaded, name)(...args)
      }
    },
  })
}
