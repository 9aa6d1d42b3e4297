import { existsSync, readFileSync, statSync } from "node:fs"
import { arch } from "node:process"
import type { FileId, ProcessLook } from "./types.ts"

/** What this machine tells about a process: `/proc` where there is one, else nothing but the time. */
export const systemProcessLook = (): ProcessLook => (existsSync("/proc/self/stat") ? procLook : blindLook)

/** Number of the system call `read`. */
const READ_CALL: Readonly<Partial<Record<string, string>>> = {
  x64: "0",
  arm64: "63",
  ia32: "3",
  arm: "3",
  riscv64: "63",
}

const TICKS_PER_SECOND = 100

const procLook: ProcessLook = {
  signals(pid) {
    const status = readText(`/proc/${pid}/status`)
    const [, ignored] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status ?? "") ?? []
    const [, caught] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status ?? "") ?? []
    if (ignored === undefined || caught === undefined) return undefined
    return { ignored: BigInt(`0x${ignored}`), caught: BigInt(`0x${caught}`) }
  },
  readsInput(pid) {
    const call = READ_CALL[arch]
    const line = readText(`/proc/${pid}/syscall`)
    if (call === undefined || line === undefined || line === "") return undefined
    return line.startsWith(`${call} 0x0 `)
  },
  sleeps(pid) {
    const stat = readText(`/proc/${pid}/stat`)
    const state = stat?.[stat.lastIndexOf(")") + 2]
    return state === undefined ? undefined : state === "S" || state === "D"
  },
  input: (pid) => fileAt(`/proc/${pid}/fd/0`),
  now() {
    const seconds = Number(readText("/proc/uptime")?.split(" ")[0])
    return Number.isNaN(seconds) ? undefined : Math.round(seconds * TICKS_PER_SECOND)
  },
}

const blindLook: ProcessLook = {
  signals: () => undefined,
  readsInput: () => undefined,
  sleeps: () => undefined,
  input: () => undefined,
  now: () => Math.floor(Date.now() / 1000),
}

function fileAt(path: string): FileId | undefined {
  try {
    const { dev, ino } = statSync(path)
    return { dev, ino }
  } catch {
    return undefined
  }
}

/** A process can be gone, or closed to our eyes: both mean "not known". */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return undefined
  }
}
