import type { Readable, Writable } from "node:stream"
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server"
import { isToolError } from "../../core/kernel/error.ts"
import type { JsonObject } from "../../core/kernel/strict-json.ts"
import { BODY_LIMIT_BYTES, payloadTooLarge } from "../http/body-limit.ts"
import { readJsonBody } from "../http/strict-body.ts"
import { lostArgument, notAMessage, renderBodyFault, type WireFault } from "./faults.ts"
import { LineSplitter, type SplitLine } from "./line-splitter.ts"
import { OpenRequests } from "./open-requests.ts"

/**
 * JSON-RPC in lines over a pair of streams, read by the rules of every door (spec doors.md §2.2): at most 4 MiB, strict
 * UTF-8 and JSON. A line that breaks them is answered, and the connection lives on. The end of the input ends nothing by
 * itself, so that replies still reach a host that reads on; only `close`, or an output that is gone, does.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport["onmessage"]
  /** Resolves when nothing more will come in. */
  readonly inputEnded: Promise<void>
  readonly #stdin: Readable
  readonly #stdout: Writable
  readonly #lines = new LineSplitter(BODY_LIMIT_BYTES)
  readonly #open = new OpenRequests()
  readonly #endInput: () => void
  #unreadFaults = 0
  #closed = false

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin
    this.#stdout = stdout
    const { promise, resolve } = Promise.withResolvers<void>()
    this.inputEnded = promise
    this.#endInput = resolve
  }

  async start(): Promise<void> {
    this.#stdin.on("data", this.#onData)
    // A broken input is over like one that ended.
    for (const event of ["end", "close", "error"] as const) this.#stdin.on(event, this.#onInputEnd)
    this.#stdout.on("error", this.#onLost)
    this.#stdout.on("close", this.#onLost)
    if (this.#stdin.readableEnded || this.#stdin.destroyed) this.#onInputEnd()
  }

  /** Resolves when the line has been handed to the system; rejects when the connection is over. */
  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(message)
    } finally {
      if (!("method" in message)) this.#open.settle(message.id)
    }
  }

  /** Resolves when every request that came in is answered and the answers are written, or after `ms` milliseconds. */
  async answered(ms: number): Promise<void> {
    if (!this.#closed) await this.#open.none(ms)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#stdin.off("data", this.#onData)
    this.#stdin.pause()
    this.#endInput()
    this.#open.forget()
    this.onclose?.()
  }

  readonly #onData = (chunk: Uint8Array): void => {
    for (const line of this.#lines.push(chunk)) this.#receive(line)
  }

  readonly #onInputEnd = (): void => {
    for (const line of this.#lines.end()) this.#receive(line)
    this.#endInput()
  }

  /** Also hears of writes that fail after the end; nobody is left to be told. */
  readonly #onLost = (): void => {
    void this.close()
  }

  #receive(line: SplitLine): void {
    if (this.#closed) return
    const reading = readLine(line)
    if ("fault" in reading) {
      this.#refuse(reading.fault)
      return
    }
    const { message } = reading
    if (isJSONRPCRequest(message)) this.#open.add(message.id)
    // A cancelled request gets no answer.
    else if (isCancelled(message)) this.#open.settle(message.params.requestId)
    this.onmessage?.(message)
  }

  /** A host that sends faults but reads no answers is not read either, until it does. */
  #refuse(fault: WireFault): void {
    this.#unreadFaults += 1
    this.#stdin.pause()
    this.#write(fault).then(
      () => {
        this.#unreadFaults -= 1
        if (!this.#closed && this.#unreadFaults === 0) this.#stdin.resume()
      },
      () => undefined,
    )
  }

  #write(message: object): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The connection is over."))
    return new Promise((resolve, reject) => {
      this.#stdout.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }
}

function readLine(line: SplitLine): { readonly message: JSONRPCMessage } | { readonly fault: WireFault } {
  try {
    if (line === "too_long") throw payloadTooLarge()
    return asMessage(readJsonBody(line))
  } catch (error) {
    if (!isToolError(error)) throw error
    return { fault: renderBodyFault(error).body }
  }
}

function asMessage(value: JsonObject): { readonly message: JSONRPCMessage } | { readonly fault: WireFault } {
  const lost = lostArgument(value)
  if (lost !== undefined) return { fault: lost }
  const message: unknown = value
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return { message }
  if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) return { message }
  return { fault: notAMessage() }
}

function isCancelled(message: JSONRPCMessage): message is JSONRPCMessage & { params: { requestId: unknown } } {
  return "method" in message && message.method === "notifications/cancelled" && message.params !== undefined
}
