import Sqlite from "better-sqlite3"

/** What was put into a database file. */
export interface Filled {
  /** Every event in the file. */
  readonly total: number
  readonly sessions: readonly string[]
}

/**
 * Fills a database in which one call is recorded with further Sessions, each with `eventsEach` copies of that
 * call's events. Nobody else may have the file open.
 */
export function fillEvents(
  file: string,
  { sessions, eventsEach }: { readonly sessions: number; readonly eventsEach: number },
): Filled {
  const database = new Sqlite(file)
  database.pragma("synchronous = OFF")
  const ids = Array.from({ length: sessions }, (_, index) => `wc_sess_${String(index).padStart(16, "0")}`)
  const addSession = database.prepare(
    copying(
      database,
      "sessions",
      { session_id: "@id", events_observed: "@count" },
      "from sessions order by created_at limit 1",
    ),
  )
  const addEvents = database.prepare(
    `with recursive numbers(value) as (select 1 union all select value + 1 from numbers where value < @count) ${copying(
      database,
      "session_events",
      { session_id: "@id", seq: "numbers.value", event_id: "printf('evt_%016x%016x', @serial, numbers.value)" },
      `from numbers join (select * from session_events where session_id = @model and kind like 'tool_call_%') as model
       on model.kind = iif(numbers.value % 2 = 1, 'tool_call_started', 'tool_call_finished')`,
    )}`,
  )
  const model = database
    .prepare<[], { session_id: string }>(
      "select session_id from session_events where kind = 'tool_call_finished' limit 1",
    )
    .get()?.session_id
  database.transaction(() => {
    ids.forEach((id, serial) => {
      addSession.run({ id, count: eventsEach })
      addEvents.run({ id, serial, model, count: eventsEach })
    })
  })()
  const counted = database.prepare<[], { total: number }>("select count(*) as total from session_events").get()
  database.pragma("wal_checkpoint(TRUNCATE)")
  database.close()
  return { total: counted?.total ?? 0, sessions: ids }
}

/**
 * Fills a database in which a board has messages with further Sessions, each with `each` copies of one of its notes. Nobody else
 * may have the file open.
 */
export function fillMessages(file: string, { total, each }: { readonly total: number; readonly each: number }): void {
  const database = new Sqlite(file)
  database.pragma("synchronous = OFF")
  const addSession = database.prepare(
    copying(database, "sessions", { session_id: "@id" }, "from sessions order by created_at limit 1"),
  )
  const addMessages = database.prepare(
    `with recursive numbers(value) as (select 1 union all select value + 1 from numbers where value < @each) ${copying(
      database,
      "session_messages",
      {
        session_id: "@id",
        pos: "numbers.value",
        revision: "numbers.value",
        message_id: "printf('wc_msg_%08d%08d', @serial, numbers.value)",
      },
      "from numbers join (select * from session_messages where kind = 'note' limit 1)",
    )}`,
  )
  database.transaction(() => {
    for (let serial = 0; serial < total / each; serial++) {
      const id = `wc_sess_b${String(serial).padStart(15, "0")}`
      addSession.run({ id })
      addMessages.run({ id, serial, each })
    }
  })()
  database.pragma("wal_checkpoint(TRUNCATE)")
  database.close()
}

/** Fills a database in which a Job has ended with `count` copies of it. Nobody else may have the file open. */
export function fillJobs(file: string, count: number): void {
  const database = new Sqlite(file)
  database.pragma("synchronous = OFF")
  database
    .prepare(
      `with recursive numbers(value) as (select 1 union all select value + 1 from numbers where value < @count) ${copying(
        database,
        "jobs",
        {
          job_id: "printf('wc_job_%016x', numbers.value)",
          call_id: "printf('%s-%d', call_id, numbers.value)",
          invocation_id: "printf('%s-%d', invocation_id, numbers.value)",
        },
        "from numbers join (select * from jobs where status = 'completed' limit 1)",
      )}`,
    )
    .run({ count })
  database.pragma("wal_checkpoint(TRUNCATE)")
  database.close()
}

/** Adds rows that are as an existing one but for the columns given as expressions. */
function copying(
  database: Sqlite.Database,
  table: string,
  changed: Readonly<Record<string, string>>,
  from: string,
): string {
  const columns = database.prepare<[string], { name: string }>("select name from pragma_table_info(?)").all(table)
  const names = columns.map(({ name }) => name)
  return `insert into ${table} (${names.join(", ")}) select ${names.map((name) => changed[name] ?? name).join(", ")} ${from}`
}
