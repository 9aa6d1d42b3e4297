import type { Readable, Writable } from "node:stream"
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from "@modelcontextprotocol/client"

/** The client's side of stdio without a child process: the official framing over any pair of streams. */
export class StreamTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #input: Readable
  readonly #output: Writable
  readonly #buffer = new ReadBuffer()

  constructor({ input, output }: { readonly input: Readable; readonly output: Writable }) {
    this.#input = input
    this.#output = output
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => {
      this.#buffer.append(chunk)
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage()) {
        this.onmessage?.(message)
      }
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#output.write(serializeMessage(message))
  }

  async close(): Promise<void> {
    this.#output.end()
    this.onclose?.()
  }
}
