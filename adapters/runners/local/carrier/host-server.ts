import { createServer, type Server, type Socket } from "node:net"
import { encodeFrame, type Frame, type FrameKind, FrameReader, TOLD } from "./frames.ts"
import { unwireCall, wireFault, wireValue } from "./wire.ts"

/** What answers the calls of one client. */
export interface ClientDesk {
  /** Throws or rejects with what the client is to get. */
  call(method: string, args: readonly unknown[]): unknown
  /** The client is gone. */
  leave(): void
}

/** A socket that listens for servers. */
export interface HostServer {
  /** Nobody new is let in; whoever is connected stays. */
  stopListening(): void
  /** Nobody new is let in and everybody connected is let go. */
  close(): void
}

/** Listens on a path that is not there yet. Calls of one client are begun in the order in which they came. */
export async function listen(path: string, receive: () => ClientDesk): Promise<HostServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    attend(socket, receive())
  })
  await listening(server, path)
  return {
    stopListening: () => void server.close(),
    close() {
      server.close()
      for (const socket of sockets) socket.destroySoon()
    },
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(path, () => {
      server.off("error", reject)
      // Such as too many open files: who could not be let in tries again.
      server.on("error", () => undefined)
      resolve()
    })
  })
}

function attend(socket: Socket, desk: ClientDesk): void {
  const reader = new FrameReader()
  const running = new Map<number, AbortController>()

  function answer(call: number, kind: FrameKind, { text, bytes }: Pick<Frame, "text" | "bytes">): void {
    running.delete(call)
    if (call !== TOLD && !socket.destroyed) socket.write(encodeFrame({ kind, call, text, bytes }))
  }

  async function carryOut({ call, text }: Frame): Promise<void> {
    const abort = new AbortController()
    running.set(call, abort)
    try {
      const { method, args } = unwireCall(text, abort.signal)
      answer(call, "value", wireValue(await desk.call(method, args)))
    } catch (error) {
      answer(call, "fault", { text: wireFault(error), bytes: new Uint8Array(0) })
    }
  }

  // "close" follows every error.
  socket.on("error", () => undefined)
  socket.once("close", () => {
    // Whoever waited is gone; what was started goes on.
    for (const abort of running.values()) abort.abort()
    desk.leave()
  })
  socket.on("data", (chunk) => {
    try {
      for (const frame of reader.push(chunk)) {
        if (frame.kind === "abort") running.get(frame.call)?.abort()
        else if (frame.kind === "call") void carryOut(frame)
      }
    } catch {
      socket.destroy()
    }
  })
}
