import { sql } from "kysely"
import type { MessageId, SessionId } from "../../../core/kernel/ids.ts"
import type { StoredMessage } from "../../../core/messages/record.ts"
import type { MessageFilter, MessageStore } from "../../../core/messages/store.ts"
import type { Queries } from "../queries.ts"
import { factsOf, messageOf, messageRow } from "../rows/message-row.ts"
import { openBoardOf } from "../rows/open-board.ts"
import type { Statement } from "../statement.ts"
import * as statements from "./message-statements.ts"

/** Table `session_messages` and the board's counters in `sessions`. */
export function createMessageStore(queries: Queries): MessageStore {
  const { builder } = queries
  const one = (row: Parameters<typeof messageOf>[0] | undefined): StoredMessage | undefined => row && messageOf(row)
  const matches = (sessionId: SessionId, filter: MessageFilter) => {
    const { kind, status, messageId, replyTo } = filter
    let query = builder.selectFrom("session_messages").where("session_id", "=", sessionId)
    if (kind !== undefined) query = query.where("kind", "=", kind)
    if (status !== undefined) query = query.where("status", "=", status)
    if (messageId !== undefined) query = query.where("message_id", "=", messageId)
    if (replyTo !== undefined) query = query.where("reply_to", "=", replyTo)
    return query
  }
  const count = async (query: ReturnType<typeof matches>): Promise<number> => {
    const total = query.select(sql<number>`count(*)`.as("total"))
    return Number((await queries.first(total.compile()))?.total ?? 0)
  }
  /** Rows about several boards, however many there are. */
  const ofEach = async <Row>(
    of: Statement<Record<string, SessionId>, Row>,
    sessionIds: readonly SessionId[],
  ): Promise<readonly Row[]> => {
    const rows: Row[] = []
    for (let from = 0; from < sessionIds.length; from += statements.BOARDS_AT_ONCE) {
      const asked = statements.boardPlaces(sessionIds.slice(from, from + statements.BOARDS_AT_ONCE))
      rows.push(...(await queries.all(queries.bind(of, asked))))
    }
    return rows
  }
  return {
    async board(sessionId) {
      const row = await queries.first(queries.bind(statements.board, { id: sessionId }))
      if (row === undefined) return undefined
      const { lifecycle, message_observation_revision: revision, message_observation_floor: floor } = row
      return { lifecycle: lifecycle === "active" ? "active" : "closed", revision, floor, lastPos: row.message_last_pos }
    },
    async versions(sessionIds) {
      const rows = await ofEach(statements.versions, sessionIds)
      return new Map(rows.map((row) => [row.session_id, `${row.message_observation_revision} ${row.lifecycle}`]))
    },
    async move(sessionId, { revision, floor, lastPos }, at) {
      await queries.change(queries.bind(statements.move, { id: sessionId, revision, floor, lastPos, at }))
    },
    async insert(message) {
      await queries.change(queries.bind(statements.insert, messageRow(message)))
    },
    async settle(sessionId, pos, { revision, resolvedAt, resolution, completion }) {
      await queries.change(
        queries.bind(statements.settle, {
          id: sessionId,
          pos,
          revision,
          resolvedAt,
          resolution: resolution ?? null,
          answerId: completion?.answerId ?? null,
          completionId: completion?.id ?? null,
          completionHash: completion?.hash ?? null,
        }),
      )
    },
    async acknowledge(sessionId, pos, { revision, at }) {
      await queries.change(queries.bind(statements.acknowledge, { id: sessionId, pos, revision, at }))
    },
    async remove(sessionId, pos) {
      await queries.change(queries.bind(statements.remove, { id: sessionId, pos }))
    },
    async byId(sessionId, messageId) {
      return one(await queries.first(queries.bind(statements.byId, { id: sessionId, messageId })))
    },
    async byDeliveryKey(sessionId, keyHash) {
      return one(await queries.first(queries.bind(statements.byDeliveryKey, { id: sessionId, keyHash })))
    },
    async retained(sessionId) {
      return Number((await queries.first(queries.bind(statements.retained, { id: sessionId })))?.total ?? 0)
    },
    async oldestChanged(sessionId, after, limit) {
      return (await queries.all(queries.bind(statements.oldestChanged, { id: sessionId, after, limit }))).map(factsOf)
    },
    async changedAfter(sessionId, after, limit) {
      return (await queries.all(queries.bind(statements.changedAfter, { id: sessionId, after, limit }))).map(messageOf)
    },
    async list(sessionId, filter, { beforePos = Number.MAX_SAFE_INTEGER, limit }) {
      const page = matches(sessionId, filter).selectAll().where("pos", "<", beforePos).orderBy("pos", "desc")
      return (await queries.all(page.limit(limit).compile())).map(messageOf)
    },
    matching: (sessionId, filter) => count(matches(sessionId, filter)),
    async replies(sessionId, messageId, limit) {
      return (await queries.all(queries.bind(statements.replies, { id: sessionId, messageId, limit }))).map(messageOf)
    },
    replyCount: (sessionId, replyTo: MessageId) => count(matches(sessionId, { replyTo })),
    async all(sessionId) {
      return (await queries.all(queries.bind(statements.all, { id: sessionId }))).map(messageOf)
    },
    async open(sessionId) {
      return openBoardOf(await queries.first(queries.bind(statements.open, { id: sessionId })))
    },
    async openOnEach(sessionIds) {
      const rows = await ofEach(statements.openOnEach, sessionIds)
      return new Map(rows.map((row) => [row.session_id, openBoardOf(row)]))
    },
    async ackRequired(sessionId) {
      return (await queries.all(queries.bind(statements.ackRequired, { id: sessionId }))).map(factsOf)
    },
  }
}
