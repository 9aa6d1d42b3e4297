import { z } from "zod"

const refusal = z.object({
  success: z.literal(false),
  error: z.looseObject({ kind: z.string(), details: z.unknown().optional() }),
})
const document = z.looseObject({ servers: z.array(z.object({ url: z.string() })) })
const rpcFault = z.object({ jsonrpc: z.literal("2.0"), error: z.looseObject({ code: z.number() }) })

/** Status and error of a refusal; a reply that is none fails the test. */
export async function errorOf(response: Response) {
  return { status: response.status, ...refusal.parse(await response.json()).error }
}

/** The error kind of a refusal's text; `undefined` for a success. */
export function kindOf(body: string): string | undefined {
  const parsed = refusal.safeParse(JSON.parse(body))
  return parsed.success ? parsed.data.error.kind : undefined
}

/** Where a served document says that its server is. */
export function serverOf(body: unknown): string | undefined {
  return document.parse(body).servers[0]?.url
}

/** Status and code of a JSON-RPC fault. */
export async function rpcFaultOf(response: Response): Promise<readonly [status: number, code: number]> {
  return [response.status, rpcFault.parse(await response.json()).error.code]
}
