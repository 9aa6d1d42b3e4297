import type { ChildProcess } from "node:child_process"
import { createInterface } from "node:readline"

/** JSON-RPC over a child's pipes. */
export interface StdioClient {
  /** One request; resolves with the text of its answer, rejects when that is an error or the child ends. */
  call(method: string, params: object): Promise<string>
}

/** A client that does no more than write a line and wait for the next one with its id. */
export function createStdioClient(child: ChildProcess): StdioClient {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error("The child has no pipes.")
  const waiting = new Map<number, { resolve(text: string): void; reject(error: Error): void }>()
  let lastId = 0
  createInterface({ input: stdout }).on("line", (line) => {
    const id = Number(/"id":(\d+)/.exec(line)?.[1])
    const waiter = waiting.get(id)
    if (waiter === undefined) return
    waiting.delete(id)
    if (/^\{[^{]*"error":/.test(line)) waiter.reject(new Error(line.slice(0, 300)))
    else waiter.resolve(line)
  })
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The child ended with ${code}.`))
  })
  return {
    call(method, params) {
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
      })
    },
  }
}
