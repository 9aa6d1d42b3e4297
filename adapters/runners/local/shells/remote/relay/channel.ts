import { type ChildProcess, spawn } from "node:child_process"

/** A program that connects us with a process on the target: the `ssh` or container client, its argument list and its environment. */
export interface ChannelCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What became of a channel's client. */
export interface ChannelEnd {
  readonly code: number | null
  /** The last 8 KiB that the client, or the far end, wrote to its stderr. */
  readonly stderr: string
}

/** A running client: bytes to the far process, bytes from it. The end of a client is not the end of the far process. */
export interface Channel {
  write(bytes: string | Uint8Array): void
  /** No more input will come. */
  finish(): void
  /** Called for every piece of the far process's stdout; set before the first turn of the event loop. */
  onBytes(listener: (chunk: Uint8Array) => void): void
  /** Resolves when the client is gone and everything it wrote was seen. */
  readonly ended: Promise<ChannelEnd>
  /** Ends the client alone. */
  close(): void
}

const STDERR_KEPT = 8192

/** Starts a client; one that cannot be started ends with code `null` and the system's reason as its stderr. */
export function openChannel(command: ChannelCommand): Channel {
  const child = spawn(command.program, [...command.args], {
    env: { ...command.env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  })
  let stderr = ""
  child.stderr.on("data", (chunk: Uint8Array) => {
    stderr = (stderr + Buffer.from(chunk).toString("latin1")).slice(-STDERR_KEPT)
  })
  // A client that went away refuses what is still written; its end is told by `ended`.
  child.stdin.on("error", () => undefined)
  return {
    write: (bytes) => {
      if (child.stdin.writable) child.stdin.write(bytes)
    },
    finish: () => child.stdin.end(),
    onBytes: (listener) => child.stdout.on("data", listener),
    ended: endOf(child, () => stderr),
    close: () => {
      child.stdin.destroy()
      child.kill("SIGKILL")
    },
  }
}

function endOf(child: ChildProcess, stderr: () => string): Promise<ChannelEnd> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: null, stderr: error.message }))
    child.on("close", (code) => resolve({ code, stderr: stderr() }))
  })
}

/** Runs a client to its end with the given input; its whole stdout as bytes. */
export async function runChannel(
  command: ChannelCommand,
  options: { readonly input?: string; readonly timeoutMs: number },
): Promise<ChannelEnd & { readonly stdout: Buffer }> {
  const channel = openChannel(command)
  const chunks: Uint8Array[] = []
  channel.onBytes((chunk) => chunks.push(Uint8Array.from(chunk)))
  if (options.input !== undefined) channel.write(options.input)
  channel.finish()
  const timer = setTimeout(() => channel.close(), options.timeoutMs)
  const end = await channel.ended.finally(() => clearTimeout(timer))
  return { ...end, stdout: Buffer.concat(chunks) }
}
