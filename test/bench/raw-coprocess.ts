import { execFileSync, spawn } from "node:child_process"
import { closeSync, constants, openSync, writeSync } from "node:fs"
import { Socket } from "node:net"
import path from "node:path"
import type { Place } from "./place.ts"
import type { Bench } from "./scope.ts"

/** A bare bash that is fed through one named pipe and answers through another: what a live shell costs at least. */
export interface RawCoprocess {
  /** Runs one line; resolves when the mark behind its output has come. */
  run(line: string): Promise<unknown>
}

/** Starts one; it goes with the group. */
export async function startRawCoprocess(bench: Bench, place: Place, name = "raw"): Promise<RawCoprocess> {
  const [input = "", output = ""] = ["in", "out"].map((end) => path.join(place.home, `${name}-${end}`))
  execFileSync("mkfifo", [input, output])
  const write = openSync(input, constants.O_RDWR)
  const read = openSync(output, constants.O_RDONLY | constants.O_NONBLOCK)
  const answer = openSync(output, constants.O_RDWR)
  const child = spawn("bash", ["--norc", "--noprofile"], { stdio: [write, answer, "ignore"] })
  closeSync(answer)
  const socket = new Socket({ fd: read, readable: true, writable: false })
  let text = ""
  let waiting: (() => void) | undefined
  let mark = ""
  socket.on("data", (chunk) => {
    text = (text + chunk.toString("latin1")).slice(-256)
    if (mark !== "" && text.includes(mark)) waiting?.()
  })
  bench.undo(() => {
    child.kill("SIGKILL")
    socket.destroy()
    closeSync(write)
  })
  let turn = 0
  return {
    run(line) {
      turn += 1
      mark = `end-${turn} 0\n`
      return new Promise<void>((resolve) => {
        waiting = () => {
          text = ""
          resolve()
        }
        writeSync(write, `${line}\nprintf 'end-%s %s\\n' ${turn} $?\n`)
      })
    },
  }
}
