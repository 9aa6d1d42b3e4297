import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import { dataDirectory } from "../../contract/store-sqlite.ts"

let place: Awaited<ReturnType<typeof dataDirectory>>
let database: Sqlite.Database
let durable: Sqlite.Database | undefined

beforeAll(async () => {
  place = await dataDirectory()
  const onConnection = (opened: Sqlite.Database, role: string) => {
    if (role === "writer") durable = opened
  }
  const store = await openStore({ dataDir: place.dataDir, durability: "power", onConnection })
  expect(durable?.pragma("synchronous", { simple: true })).toBe(2)
  await store.close()
  database = new Sqlite(join(place.dataDir, "holdfast.db"))
})
afterAll(async () => {
  database.close()
  await place.remove()
})

const names = (type: "table" | "index"): readonly unknown[] =>
  database
    .prepare("select name from sqlite_master where type = ? and name not like 'sqlite_%' order by name")
    .pluck()
    .all(type)

const message = (changes: Readonly<Record<string, string>>): string => {
  const row = {
    kind: "'note'",
    status: "'open'",
    priority: "'low'",
    requires_ack: "0",
    completion_id: "null",
    ...changes,
  }
  const fixed = {
    session_id: "'s'",
    pos: "1",
    message_id: "'m'",
    revision: "1",
    created_at: "1",
    message: "'x'",
    ...row,
  }
  return `insert into session_messages (${Object.keys(fixed).join()}) values (${Object.values(fixed).join()})`
}

const columns = (index: string): readonly unknown[] =>
  database.prepare("select name from pragma_index_xinfo(?) where key = 1 order by seqno").pluck().all(index)

describe("the schema", () => {
  it("has these tables", () => {
    expect(names("table")).toEqual([
      "call_keys",
      "coding_sessions",
      "credentials",
      "expired_sessions",
      "instances",
      "jobs",
      "meta",
      "open_calls",
      "projects",
      "runner_hosts",
      "session_events",
      "session_messages",
      "sessions",
      "shells",
      "users",
    ])
  })

  it("has the indexes that the specs name", () => {
    expect(columns("sessions_owner")).toEqual(["owner_authority_fingerprint", "lifecycle", "updated_at", "session_id"])
    expect(columns("sessions_project")).toEqual(["project_pk", "updated_at"])
    expect(columns("sessions_lifecycle")).toEqual(["lifecycle", "updated_at"])
    expect(columns("session_events_instructions")).toEqual(["session_id", "seq"])
    expect(columns("session_events_validations")).toEqual(["session_id", "seq"])
    expect(columns("session_messages_id")).toEqual(["message_id"])
    expect(columns("session_messages_revision")).toEqual(["session_id", "revision"])
    expect(columns("session_messages_delivery")).toEqual(["session_id", "delivery_key_hash"])
    expect(columns("session_messages_state")).toEqual(["session_id", "status", "kind", "requires_ack"])
    expect(columns("session_messages_replies")).toEqual(["session_id", "reply_to"])
    expect(columns("session_messages_attention")).toEqual(["session_id", "pos"])
    expect(columns("session_events_rewritten")).toEqual(["session_id", "seq"])
    expect(columns("session_events_calls")[0]).toBe("session_id")
    expect(columns("call_keys_expires")).toEqual(["expires_at"])
    expect(columns("jobs_status")).toEqual(["status", "created_at"])
    expect(columns("jobs_session")).toEqual(["session_id", "created_at"])
    expect(columns("jobs_project")).toEqual(["project_pk", "created_at"])
    expect(columns("jobs_shell")).toEqual(["shell_uid", "created_at"])
    expect(columns("jobs_owner_list").slice(0, 4)).toEqual(["owner_fingerprint", "handed_over", "created_at", "job_id"])
    expect(columns("jobs_project_list")).toEqual(["project_pk", "handed_over", "created_at", "job_id"])
    expect(columns("jobs_session_list")).toEqual(["session_id", "handed_over", "created_at", "job_id"])
    expect(columns("jobs_host")).toEqual(["host_id", "status"])
    expect(columns("shells_id")).toEqual(["shell_id"])
    expect(columns("shells_live_session")).toEqual(["session_id"])
    expect(columns("shells_owner")).toEqual(["owner_principal", "state"])
    expect(columns("shells_session")).toEqual(["session_id", "created_at"])
    expect(columns("shells_host")).toEqual(["host_id", "state"])
    expect(columns("jobs_key")).toEqual(["owner_fingerprint", "tool", null, "idempotency_key"])
  })

  it("is in write-ahead mode and of its version", () => {
    expect(database.pragma("journal_mode", { simple: true })).toBe("wal")
    expect(database.prepare("select value from meta where key = 'schema_version'").pluck().get()).toBe("8")
  })

  const refused: readonly (readonly [string, string])[] = [
    [
      "credentials.kind",
      "insert into credentials values ('c','stdio','p','h','w','n','[]',null,null,null,1,null,null,null,null)",
    ],
    [
      "credentials.mode",
      "insert into credentials values ('c','oauth','p','h','w','n','[]',null,'yolo',null,1,null,null,null,null)",
    ],
    ["projects.kind", "insert into projects values ('p','s','local','/r',null,null,'odd',null,0,1,1,1,null)"],
    [
      "projects.git_above_root",
      "insert into projects values ('p','s','local','/r',null,null,'registered',null,2,1,1,1,null)",
    ],
    [
      "sessions.lifecycle",
      "insert into sessions values ('s',null,null,'f','odd','normal',0,0,null,null,null,1,1,null,0,0,0,0,0)",
    ],
    [
      "sessions.mode",
      "insert into sessions values ('s',null,null,'f','active','odd',0,0,null,null,null,1,1,null,0,0,0,0,0)",
    ],
    [
      "sessions.default_shell",
      "insert into sessions values ('s','p',null,'f','active','normal',0,0,null,'zsh',null,1,1,null,0,0,0,0,0)",
    ],
    ["session_messages.kind", message({ kind: "'odd'" })],
    ["session_messages.status", message({ status: "'odd'" })],
    ["session_messages.priority", message({ priority: "'odd'" })],
    ["session_messages.requires_ack", message({ requires_ack: "2" })],
    ["session_messages: resolved without a time", message({ status: "'resolved'" })],
    ["session_messages: a completion without its hash", message({ completion_id: "'c'" })],
    ["expired_sessions.lifecycle", "insert into expired_sessions values ('s','f',null,'odd',1)"],
    ["open_calls.role", "insert into open_calls values ('c','i','odd',null,'t','x',1,null,null)"],
    ["call_keys.state", "insert into call_keys values ('k','t','h','c','odd',null,null,1,1,1)"],
  ]
  it.each(refused)("refuses a word outside the closed set of %s", (_, statement) => {
    expect(() => database.exec(statement)).toThrow("CHECK constraint failed")
  })
})
