import { connect } from "node:net"

/** A reply as it stood on the wire. */
export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds from the first byte sent to the end of the reply. */
  readonly ms: number
  /** Whether the server ended the connection. */
  readonly closed: boolean
}

/**
 * Sends bytes that no HTTP client would send and reads one reply. `after` is called with a writer once connected, for
 * bodies that are sent bit by bit; it ends when the reply has come.
 */
export function rawRequest(
  port: number,
  head: string,
  options: { readonly body?: Uint8Array; readonly stream?: () => Uint8Array | undefined } = {},
): Promise<RawReply & { readonly sent: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    const started = performance.now()
    let received = Buffer.alloc(0)
    let sent = 0
    let answeredAt: number | undefined
    let closed = false
    const pump = (): void => {
      while (answeredAt === undefined) {
        const chunk = options.stream?.()
        if (chunk === undefined) return
        sent += chunk.byteLength
        if (!socket.write(chunk)) return
      }
    }
    const finish = (): void => {
      clearTimeout(timer)
      socket.destroy()
      const text = received.toString("utf8")
      const split = text.indexOf("\r\n\r\n")
      const [statusLine = "", ...lines] = text.slice(0, split).split("\r\n")
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      )
      const status = Number(statusLine.split(" ")[1])
      resolve({ status, headers, body: text.slice(split + 4), ms: (answeredAt ?? Number.NaN) - started, closed, sent })
    }
    const timer = setTimeout(finish, 3_000)
    socket.on("connect", () => {
      socket.write(head.replaceAll("\n", "\r\n"))
      if (options.body) socket.write(options.body)
      pump()
    })
    socket.on("drain", pump)
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk])
      const text = received.toString("utf8")
      const split = text.indexOf("\r\n\r\n")
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      if (split !== -1 && length !== undefined && received.byteLength >= split + 4 + Number(length))
        answeredAt ??= performance.now()
    })
    socket.on("end", () => {
      closed = true
      finish()
    })
    socket.on("error", (error) => {
      if (answeredAt === undefined) reject(error)
      closed = true
      finish()
    })
  })
}
