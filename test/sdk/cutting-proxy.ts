import type { AddressInfo } from "node:net"
import { connect, createServer, type Socket } from "node:net"

/** A TCP relay that resets the first connection at the first byte of its reply, when the effect has happened. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string
}

export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let cut = false
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1")
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
    }
    near.pipe(far)
    far.once("data", (first) => {
      if (!cut) {
        cut = true
        near.resetAndDestroy()
        return
      }
      near.write(first)
      far.pipe(near)
    })
    near.on("close", () => far.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
