import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, closeSync, constants, existsSync, openSync, readdirSync, statSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createJournal, readJournal } from "../../../adapters/runners/local/host/journal.ts"
import { createPipePool } from "../../../adapters/runners/local/host/pipes.ts"
import { createEndJournal } from "../../../adapters/runners/local/shells/end-journal.ts"
import { createFifoPool } from "../../../adapters/runners/local/shells/fifo-pool.ts"
import { createSlotPool, type Slot } from "../../../adapters/runners/local/shells/slots.ts"
import { createStatusFiles } from "../../../adapters/runners/local/shells/status-files.ts"
import { createTokens } from "../../../adapters/runners/local/shells/tokens.ts"

/** Root may write everything: what permissions do is seen as another user. */
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const environment = { PATH: process.env["PATH"] ?? "" }
let home: string

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "hf-spoilt-")))
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** Writes a status as a shell does; `true`: it could. */
function tell(prefix: string, status: number, umask: string): boolean {
  if (isRoot) {
    chownSync(home, NOBODY, NOBODY)
    chownSync(prefix, NOBODY, NOBODY)
    for (const name of readdirSync(prefix)) chownSync(join(prefix, name), NOBODY, NOBODY)
  }
  const args = ["-c", 'umask "$1"; >|"$2$3"', "sh", umask, prefix, String(status)]
  return spawnSync("bash", args, isRoot ? { uid: NOBODY, gid: NOBODY } : {}).status === 0
}

/** Runs `work` as somebody whom permissions bind. */
async function asUser(work: () => Promise<void>): Promise<void> {
  if (!isRoot) return work()
  chownSync(home, NOBODY, NOBODY)
  process.seteuid?.(NOBODY)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}

const permissionsOf = (path: string): number => statSync(path).mode & 0o777

/** Takes every permission from the pipes that wait. */
function spoilAll(prefix: string): void {
  for (const name of readdirSync(home)) if (name.startsWith(prefix)) chmodSync(join(home, name), 0)
}

describe("status files", () => {
  it.each(["0222", "0277", "0333", "0777"])("a shell with the umask %s tells the status of every command", (umask) => {
    const files = createStatusFiles(home, createTokens())
    for (const status of [0, 0, 0, 3, 3, 3, 0, 0]) {
      const { prefix, token } = files.begin()
      files.prepare()
      expect(tell(prefix, status, umask)).toBe(true)
      expect(files.find(token)).toBe(status)
      files.settle()
    }
  })

  it("a file that can be written is opened again", () => {
    const files = createStatusFiles(home, createTokens())
    const seen = new Set<number>()
    for (let round = 0; round < 6; round += 1) {
      const { prefix } = files.begin()
      files.prepare()
      expect(tell(prefix, 0, "022")).toBe(true)
      expect(files.hasSucceeded()).toBe(true)
      seen.add(statSync(`${prefix}0`).ino)
      files.settle()
    }
    expect(seen.size).toBe(2)
  })
})

describe("output pipes of live shells", () => {
  async function withSlots(work: (slots: ReturnType<typeof createSlotPool>) => Promise<void>): Promise<void> {
    const fifos = createFifoPool(home, environment)
    const slots = createSlotPool(fifos)
    await work(slots)
    slots.close()
    fifos.close()
  }

  async function takeMany(slots: ReturnType<typeof createSlotPool>): Promise<readonly Slot[]> {
    return Promise.all(Array.from({ length: 20 }, () => slots.take()))
  }

  const close = (taken: readonly Slot[]): void => {
    for (const { fd } of taken) closeSync(fd)
  }

  it("one that is as it was made is used again, in the same turn and later", () =>
    withSlots(async (slots) => {
      const first = await slots.take()
      slots.give(first)
      const second = await slots.take()
      expect(second.path).toBe(first.path)
      closeSync(second.fd)
      slots.givePath(second.path)
      await turn()
      const third = await slots.take()
      expect(third.path).toBe(first.path)
      closeSync(third.fd)
    }))

  it.each([0o200, 0o222, 0o400, 0])("one whose mode a command made %i serves no other", (mode) =>
    withSlots(async (slots) => {
      const spoilt = await slots.take()
      chmodSync(spoilt.path, mode)
      slots.give(spoilt)
      const taken = await takeMany(slots)
      expect(existsSync(spoilt.path)).toBe(false)
      expect(taken.map(({ path }) => path)).not.toContain(spoilt.path)
      close(taken)
    }),
  )

  it("one that somebody else still reads serves no other", () =>
    withSlots(async (slots) => {
      const held = await slots.take()
      const reading = openSync(held.path, constants.O_RDONLY | constants.O_NONBLOCK)
      closeSync(held.fd)
      slots.givePath(held.path)
      const taken = await takeMany(slots)
      expect(taken.map(({ path }) => path)).not.toContain(held.path)
      expect(existsSync(held.path)).toBe(false)
      close(taken)
      closeSync(reading)
    }))

  it("those that cannot be opened any more are passed over", () =>
    asUser(() =>
      withSlots(async (slots) => {
        const first = await slots.take()
        spoilAll("f")
        const taken = await takeMany(slots)
        expect(taken.every(({ path }) => permissionsOf(path) === 0o600)).toBe(true)
        close([first, ...taken])
      }),
    ))
})

describe("output pipes of one-shots", () => {
  it.each([0o200, 0o222, 0o400, 0])("one whose mode a command made %i serves no other", async (mode) => {
    const pool = createPipePool(home, environment)
    const pipe = await pool.take("job.stdout")
    const inode = statSync(join(home, "job.stdout")).ino
    chmodSync(join(home, "job.stdout"), mode)
    closeSync(pipe.readFd)
    closeSync(pipe.writeFd)
    pipe.giveBack()
    expect(readdirSync(home).map((name) => statSync(join(home, name)).ino)).not.toContain(inode)
    pool.close()
  })

  it("those that cannot be opened any more are passed over", () =>
    asUser(async () => {
      const pool = createPipePool(home, environment)
      const first = await pool.take("a.stdout")
      spoilAll("p")
      const second = await pool.take("b.stdout")
      expect(permissionsOf(join(home, "b.stdout"))).toBe(0o600)
      for (const { readFd, writeFd } of [first, second]) {
        closeSync(readFd)
        closeSync(writeFd)
      }
      pool.close()
    }))
})

describe("ends that could not be written", () => {
  it("stay proven by something else until a later write takes them along", async () => {
    const journal = createJournal(home)
    let isFull = true
    const ends = createEndJournal({
      append(...entries) {
        if (isFull) throw new Error("no space left on the device")
        journal.append(...entries)
      },
    })
    const totals = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0, retained: [] }
    let written = 0
    ends.end(
      {
        e: "ended",
        job: "one",
        at: 2,
        outcome: { kind: "exited", exit_code: 0 },
        totals: { stdout: totals, stderr: totals },
        gap: false,
      },
      () => {
        written += 1
      },
    )
    await turn()
    ends.flush()
    expect(() => ends.accept({ e: "accepted", job: "two", at: 3, boot: "b" })).toThrow("no space left")
    expect(written).toBe(0)
    isFull = false
    ends.accept({ e: "accepted", job: "two", at: 4, boot: "b" })
    expect(written).toBe(1)
    ends.close()
    expect(written).toBe(1)
    journal.close()
    const runs = readJournal(home)
    expect(runs.get("one")?.ended?.at).toBe(2)
    expect(runs.get("two")?.accepted.at).toBe(4)
  })
})
