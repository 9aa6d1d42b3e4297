import { execFile } from "node:child_process"
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { createLocalTokenFile } from "../../../adapters/local-token/create-local-token-file.ts"
import { createAuthenticator } from "../../../core/access/authenticate.ts"
import { ensureLocalToken, rotateLocalToken } from "../../../core/access/local-token.ts"
import { hashSecret } from "../../../core/access/secret.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import type { Stored } from "../ledger/stored.ts"
import { openTestStore } from "../ledger/stored.ts"

const clock = { now: () => 1_000, sleep: (ms: number) => sleep(ms) }

function parts({ store, dataDir }: Stored) {
  const ports = { store, clock, ids: createIds(), file: createLocalTokenFile(dataDir) }
  const value = async (): Promise<string> => (await readFile(path.join(dataDir, "local-token"), "utf8")).trim()
  const revoked = async (secret: string): Promise<boolean> => {
    const row = await store.read((tx) => tx.credentials.byHash(hashSecret(secret)))
    return row?.revokedAt !== undefined
  }
  return { ports, value, revoked }
}

it("K26: the first start makes a 0600 file, the second keeps its value", async () => {
  await using stored = await openTestStore()
  const { ports, value } = parts(stored)
  expect(await ensureLocalToken(ports)).toEqual({ state: "ready", minted: true })
  const first = await value()
  expect(first).toMatch(/^hfl_[A-Za-z0-9_-]{43}$/)
  expect((await stat(ports.file.path)).mode & 0o777).toBe(0o600)
  expect(await ensureLocalToken(ports)).toEqual({ state: "ready", minted: false })
  expect(await value()).toBe(first)
  const { authenticate } = createAuthenticator({ store: stored.store, clock, onNoteFailed: () => undefined })
  const caller = await authenticate(first)
  expect(caller.principal.id).toBe("local")
  expect([caller.scopes.has("account:manage"), caller.scopes.has("admin")]).toEqual([true, false])
  expect(caller.scopes.has("conversation:agent")).toBe(false)
})

it("K27: a file open to others stops the start; a missing one is made anew and the old value is revoked", async () => {
  await using stored = await openTestStore()
  const { ports, value, revoked } = parts(stored)
  await ensureLocalToken(ports)
  const old = await value()
  await chmod(ports.file.path, 0o644)
  expect(await ensureLocalToken(ports)).toEqual({ state: "exposed" })
  expect(await value()).toBe(old)
  await rm(ports.file.path)
  expect(await ensureLocalToken(ports)).toEqual({ state: "ready", minted: true })
  expect([await revoked(old), await revoked(await value())]).toEqual([true, false])
  expect(await value()).not.toBe(old)
})

it("a link, a pipe or a directory in its place is neither followed nor waited for", async () => {
  await using stored = await openTestStore()
  const { ports } = parts(stored)
  const { path: place } = ports.file
  await writeFile(`${place}.other`, "x", { mode: 0o600 })
  const put = [
    () => symlink(`${place}.other`, place),
    () => promisify(execFile)("mkfifo", ["-m", "600", place]),
    () => mkdir(place, { mode: 0o700 }),
  ]
  for (const make of put) {
    await make()
    expect(await ensureLocalToken(ports)).toEqual({ state: "not_a_file" })
    await rm(place, { recursive: true })
  }
  expect(await stored.store.read((tx) => tx.credentials.list({ kind: "local_token" }))).toEqual([])
})

it("a file that holds no live token is replaced", async () => {
  await using stored = await openTestStore()
  const { ports, value, revoked } = parts(stored)
  await writeFile(ports.file.path, "", { mode: 0o600 })
  expect(await ensureLocalToken(ports)).toEqual({ state: "ready", minted: true })
  expect(await revoked(await value())).toBe(false)
})

it("rotation revokes the old value", async () => {
  await using stored = await openTestStore()
  const { ports, value, revoked } = parts(stored)
  await ensureLocalToken(ports)
  const old = await value()
  await rotateLocalToken(ports)
  expect([await revoked(old), await revoked(await value())]).toEqual([true, false])
  expect((await stat(ports.file.path)).mode & 0o777).toBe(0o600)
})

it("starts at the same time end with one file and one live token", async () => {
  await using stored = await openTestStore()
  const { ports, value, revoked } = parts(stored)
  const states = await Promise.all([1, 2, 3, 4].map(() => ensureLocalToken(ports)))
  expect(states.every(({ state }) => state === "ready")).toBe(true)
  expect(await revoked(await value())).toBe(false)
  const rows = await stored.store.read((tx) => tx.credentials.list({ kind: "local_token" }))
  expect(rows.filter((row) => row.revokedAt === undefined)).toHaveLength(1)
})
