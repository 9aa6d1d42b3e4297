import { type Kysely, sql } from "kysely"
import type { MessageId, SessionId } from "../../../core/kernel/ids.ts"
import type { ObligingKind } from "../../../core/messages/record.ts"
import type { MessageColumns } from "../rows/message-row.ts"
import type { Schema } from "../schema.ts"
import { statement } from "../statement.ts"

const ofSession = (db: Kysely<Schema>) => db.selectFrom("session_messages").selectAll()

/** The columns of a message without its texts, and whether it replies to an open todo. */
const facts = (db: Kysely<Schema>) =>
  db.selectFrom("session_messages as m").select([
    "m.message_id",
    "m.pos",
    "m.revision",
    "m.kind",
    "m.status",
    "m.priority",
    "m.requires_ack",
    "m.first_ack_observed_at",
    sql<number>`case when m.reply_to is not null and exists (
        select 1 from session_messages as t where t.message_id = m.reply_to and t.session_id = m.session_id
          and t.kind = 'todo' and t.status = 'open') then 1 else 0 end`.as("replies_to_open_todo"),
  ])

/** The counters of a board. */
export const board = statement<{ id: SessionId }>()((db, param) =>
  db
    .selectFrom("sessions")
    .select(["lifecycle", "message_observation_revision", "message_observation_floor", "message_last_pos"])
    .where("session_id", "=", param("id")),
)

/** Boards that are asked for at once: the longest page of Sessions and one more. A shorter list repeats its last one. */
export const BOARDS_AT_ONCE = 51

const places = Array.from({ length: BOARDS_AT_ONCE }, (_, index) => `id${index}`)

/** How far several boards and their Sessions have come. */
export const versions = statement<Record<string, SessionId>>()((db, param) =>
  db
    .selectFrom("sessions")
    .select(["session_id", "lifecycle", "message_observation_revision"])
    .where(
      "session_id",
      "in",
      places.map((place) => param(place)),
    ),
)

/** The values of that statement. */
export function boardPlaces(sessionIds: readonly SessionId[]): Record<string, SessionId> {
  const last = sessionIds.at(-1)
  if (last === undefined) throw new Error("The versions of no board were asked for.")
  return Object.fromEntries(places.map((place, index) => [place, sessionIds[index] ?? last]))
}

/** Writes them. */
export const move = statement<{ id: SessionId; revision: number; floor: number; lastPos: number; at: number }>()(
  (db, param) =>
    db
      .updateTable("sessions")
      .set({
        message_observation_revision: param("revision"),
        message_observation_floor: param("floor"),
        message_last_pos: param("lastPos"),
        updated_at: sql<number>`case when updated_at < ${param("at")} then ${param("at")} else updated_at end`,
      })
      .where("session_id", "=", param("id")),
)

/** A new message. */
export const insert = statement<MessageColumns>()((db, param) =>
  db.insertInto("session_messages").values({
    session_id: param("session_id"),
    pos: param("pos"),
    message_id: param("message_id"),
    revision: param("revision"),
    created_at: param("created_at"),
    kind: param("kind"),
    status: param("status"),
    priority: param("priority"),
    message: param("message"),
    tags_json: param("tags_json"),
    reply_to: param("reply_to"),
    requires_ack: param("requires_ack"),
    first_ack_observed_at: param("first_ack_observed_at"),
    author_session_id: param("author_session_id"),
    resolved_at: param("resolved_at"),
    resolution: param("resolution"),
    resolved_by_message_id: param("resolved_by_message_id"),
    completion_id: param("completion_id"),
    completion_hash: param("completion_hash"),
    delivery_key_hash: param("delivery_key_hash"),
    content_hash: param("content_hash"),
  }),
)

interface SettleValues {
  readonly id: SessionId
  readonly pos: number
  readonly revision: number
  readonly resolvedAt: number
  readonly resolution: string | null
  readonly answerId: MessageId | null
  readonly completionId: string | null
  readonly completionHash: string | null
}

/** Resolves a message. */
export const settle = statement<SettleValues>()((db, param) =>
  db
    .updateTable("session_messages")
    .set({
      status: "resolved",
      revision: param("revision"),
      resolved_at: param("resolvedAt"),
      resolution: param("resolution"),
      resolved_by_message_id: param("answerId"),
      completion_id: param("completionId"),
      completion_hash: param("completionHash"),
    })
    .where("session_id", "=", param("id"))
    .where("pos", "=", param("pos")),
)

/** Stamps the first acknowledgement. */
export const acknowledge = statement<{ id: SessionId; pos: number; revision: number; at: number }>()((db, param) =>
  db
    .updateTable("session_messages")
    .set({ revision: param("revision"), first_ack_observed_at: param("at") })
    .where("session_id", "=", param("id"))
    .where("pos", "=", param("pos")),
)

/** Evicts a message. */
export const remove = statement<{ id: SessionId; pos: number }>()((db, param) =>
  db.deleteFrom("session_messages").where("session_id", "=", param("id")).where("pos", "=", param("pos")),
)

/** One message of a Session. */
export const byId = statement<{ id: SessionId; messageId: MessageId }>()((db, param) =>
  ofSession(db).where("message_id", "=", param("messageId")).where("session_id", "=", param("id")),
)

/** The message that a delivery key made. */
export const byDeliveryKey = statement<{ id: SessionId; keyHash: string }>()((db, param) =>
  ofSession(db).where("session_id", "=", param("id")).where("delivery_key_hash", "=", param("keyHash")),
)

/** How many messages a board holds. */
export const retained = statement<{ id: SessionId }>()((db, param) =>
  db
    .selectFrom("session_messages")
    .select((of) => of.fn.countAll<number>().as("total"))
    .where("session_id", "=", param("id")),
)

/** Messages without their texts in the order of their newest change. */
export const oldestChanged = statement<{ id: SessionId; after: number; limit: number }>()((db, param) =>
  facts(db)
    .where("m.session_id", "=", param("id"))
    .where("m.revision", ">", param("after"))
    .orderBy("m.revision")
    .limit(param("limit")),
)

/** Messages in the order of their newest change. */
export const changedAfter = statement<{ id: SessionId; after: number; limit: number }>()((db, param) =>
  ofSession(db)
    .where("session_id", "=", param("id"))
    .where("revision", ">", param("after"))
    .orderBy("revision")
    .limit(param("limit")),
)

/** Direct replies, oldest first. */
export const replies = statement<{ id: SessionId; messageId: MessageId; limit: number }>()((db, param) =>
  ofSession(db)
    .where("session_id", "=", param("id"))
    .where("reply_to", "=", param("messageId"))
    .orderBy("pos")
    .limit(param("limit")),
)

/** The whole board, oldest first. */
export const all = statement<{ id: SessionId }>()((db, param) =>
  ofSession(db).where("session_id", "=", param("id")).orderBy("pos"),
)

const openOf = (kind: ObligingKind) => sql<number>`sum(case when kind = ${sql.lit(kind)} then 1 else 0 end)`

const openMessages = (db: Kysely<Schema>) =>
  db
    .selectFrom("session_messages")
    .select([
      openOf("guidance").as("guidance"),
      openOf("question").as("question"),
      openOf("todo").as("todo"),
      openOf("risk").as("risk"),
      sql<number>`sum(requires_ack)`.as("ack_required"),
    ])
    .where("status", "=", sql.lit("open"))

/** What is open, in one row: several times as cheap as grouping, which a reply of every recorded call would pay. */
export const open = statement<{ id: SessionId }>()((db, param) =>
  openMessages(db).where("session_id", "=", param("id")),
)

/** What is open on each of several boards; one with nothing open has no row. */
export const openOnEach = statement<Record<string, SessionId>>()((db, param) =>
  openMessages(db)
    .select("session_id")
    .where(
      "session_id",
      "in",
      places.map((place) => param(place)),
    )
    .groupBy("session_id"),
)

/** Open messages that require an acknowledgement, oldest first; the literals let the partial index be used. */
export const ackRequired = statement<{ id: SessionId }>()((db, param) =>
  facts(db)
    .where("m.session_id", "=", param("id"))
    .where("m.status", "=", sql.lit("open"))
    .where("m.requires_ack", "=", sql.lit(1))
    .orderBy("m.pos"),
)
