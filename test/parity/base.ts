import { cp, mkdir, rename, rm } from "node:fs/promises"
import { createAccounts } from "../../core/access/accounts.ts"
import { makePlace, type Place } from "../support/place.ts"
import { startServer } from "../support/server.ts"
import { countingIds, standingClock } from "./fixed.ts"

/** The one data directory of which every door gets a fresh copy at the same path, and what lies in it. */
export interface Base {
  readonly place: Place
  /** Sessions of the local principal in Project `demo`, and one of somebody else. */
  readonly sessions: Readonly<Record<"business" | "recorder" | "handed" | "closed" | "readOnly" | "foreign", string>>
  /** A token that may only read. */
  readonly readerToken: string
  /** Puts everything back as it was. */
  restore(): Promise<void>
  remove(): Promise<void>
}

export const READER_SCOPES = ["runtime:read", "project:read"] as const

/** Makes it through a real server. */
export async function makeBase(): Promise<Base> {
  const place = await makePlace()
  await mkdir(`${place.home}/other`)
  const server = await startServer({ place, clock: standingClock, ids: countingIds(1) })
  const started = async (input: object = { project: "demo" }, headers = {}): Promise<string> =>
    String((await server.call("start_session", input, headers)).output.session_id)
  await server.call("register_project", { path: `${place.home}/other`, project: "other" })
  const accounts = createAccounts(server.runtime)
  await accounts.addUser({ name: "reader", scopes: [...READER_SCOPES], projects: ["*"] })
  await accounts.addUser({ name: "bob", scopes: ["session:collaborate", "project:read"], projects: ["*"] })
  const tokenOf = async (user: string, scopes: Parameters<typeof accounts.createToken>[0]["scopes"]) =>
    (await accounts.createToken({ user, name: "t", scopes, never: true })).token
  const bob = await tokenOf("bob", ["session:collaborate", "project:read"])
  const sessions = {
    business: await started(),
    recorder: await started(),
    handed: await started(),
    closed: await started(),
    readOnly: await started({ project: "demo", mode: "read_only" }),
    foreign: await started({ project: "demo" }, { Authorization: `Bearer ${bob}` }),
  }
  await server.call("close_session", { session_id: sessions.closed })
  const readerToken = await tokenOf("reader", [...READER_SCOPES])
  await server.close()
  const kept = `${place.home}.kept`
  await cp(place.home, kept, { recursive: true, preserveTimestamps: true })
  return {
    place,
    sessions,
    readerToken,
    async restore() {
      const fresh = `${place.home}.fresh`
      await cp(kept, fresh, { recursive: true, preserveTimestamps: true })
      await rm(place.home, { recursive: true, force: true })
      await rename(fresh, place.home)
    },
    async remove() {
      await place.remove()
      await rm(kept, { recursive: true, force: true })
    },
  }
}
