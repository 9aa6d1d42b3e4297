import { Agent, request } from "node:http"

/** What is sent again and again. */
export interface Prepared {
  readonly method?: "GET" | "POST"
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The status that proves that the server did its work; 200 unless said. */
  readonly status?: number
}

/** Sends prepared requests over kept connections. */
export interface HttpClient {
  /** One exchange, read to its end; gives the body. Rejects on another status. */
  send(prepared: Prepared): Promise<string>
  close(): void
}

/** A client with nothing above `node:http`. */
export function createHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    send({ method = "POST", port, path, headers = {}, body, status = 200 }) {
      const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) }
      return new Promise((resolve, reject) => {
        const sent = request(
          { agent, host: "127.0.0.1", port, path, method, headers: { ...headers, ...length } },
          (response) => {
            const chunks: Buffer[] = []
            response.on("data", (chunk) => chunks.push(chunk))
            response.on("error", reject)
            response.on("end", () => {
              const text = Buffer.concat(chunks).toString()
              if (response.statusCode === status) resolve(text)
              else reject(new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 300)}`))
            })
          },
        )
        sent.on("error", reject)
        sent.end(body)
      })
    },
    close: () => agent.destroy(),
  }
}
