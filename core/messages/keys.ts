import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import canonicalize from "canonicalize"
import { ToolError } from "../kernel/error.ts"
import type { MessageId, SessionId } from "../kernel/ids.ts"
import type { Store } from "../store.ts"
import type { Message } from "./record.ts"

const TOKEN_FORM = /^wso1_[A-Za-z0-9_-]{32}$/
const FENCE_FORM = /^wsa1_[A-Za-z0-9_-]{43}$/
const TAG_BYTES = 16

/** What is made from the installation's key for one board: cursors, fences and the keys of intents (spec messages.md §5, §7). */
export interface BoardKeys {
  /** The cursor of a revision; equal cursors are equal tokens. */
  token(revision: number): string
  /** Whether a token is the cursor of this revision, compared in constant time. */
  isToken(token: string, revision: number): boolean
  /** The revision of a token. @throws ToolError `invalid_session_message_observation_token` */
  revisionOf(token: string): number
  /** What a todo and its direct replies, oldest first, are now. */
  fence(todo: Message, replies: readonly Message[]): string
  /** 64 hex: the intent to complete one todo under a key. */
  completionId(messageId: MessageId, key: string): string
  /** 64 hex over raw content, so that a later redactor changes no replay. */
  contentHash(purpose: "post" | "completion", content: object): string
  /** 64 hex of a delivery key. */
  deliveryHash(key: string): string
}

/** Whether a text has the form of a fence; one of another form was never handed out. */
export function isFence(text: string): boolean {
  return FENCE_FORM.test(text)
}

/** The keys of one Session's board. `instanceKey`: 64 hex, the installation's. */
export function createBoardKeys(instanceKey: string, sessionId: SessionId): BoardKeys {
  return new SessionKeys(createSecretKey(instanceKey, "hex"), sessionId)
}

/** The keys of every board of an installation. */
export interface BoardKeyring {
  of(sessionId: SessionId): Promise<BoardKeys>
}

/** Keeps the installation's key ready, and the newest token of boards that are looked at, which most looks ask for again. */
export function createBoardKeyring(store: Pick<Store, "instanceKey">): BoardKeyring {
  const newest = new NewestTokens()
  let key: KeyObject | undefined
  return {
    async of(sessionId) {
      key ??= createSecretKey(await store.instanceKey(), "hex")
      return new SessionKeys(key, sessionId, newest)
    },
  }
}

const MAX_TOKENS = 1024

/** The last token made for each of some boards. */
class NewestTokens {
  readonly #tokens = new Map<SessionId, { readonly revision: number; readonly token: string }>()

  /** The token of a revision, made if it is not the last one that was made. */
  of(sessionId: SessionId, revision: number, make: () => string): string {
    const known = this.#tokens.get(sessionId)
    if (known?.revision === revision) return known.token
    if (known === undefined && this.#tokens.size >= MAX_TOKENS) this.#tokens.clear()
    const token = make()
    this.#tokens.set(sessionId, { revision, token })
    return token
  }
}

class SessionKeys implements BoardKeys {
  /** A key object: given bytes, Node takes six times as long to make a MAC. */
  readonly #key: KeyObject
  readonly #sessionId: SessionId
  readonly #newest: NewestTokens | undefined

  constructor(key: KeyObject, sessionId: SessionId, newest?: NewestTokens) {
    this.#key = key
    this.#sessionId = sessionId
    this.#newest = newest
  }

  token(revision: number): string {
    const make = (): string => this.#makeToken(revision)
    return this.#newest === undefined ? make() : this.#newest.of(this.#sessionId, revision, make)
  }

  isToken(token: string, revision: number): boolean {
    const given = Buffer.from(token)
    const own = Buffer.from(this.token(revision))
    return given.length === own.length && timingSafeEqual(given, own)
  }

  revisionOf(token: string): number {
    if (!TOKEN_FORM.test(token)) throw invalidToken()
    const bytes = Buffer.from(token.slice("wso1_".length), "base64url")
    const tag = bytes.subarray(0, TAG_BYTES)
    const revision = this.#masked(bytes.subarray(TAG_BYTES), tag)
    if (!timingSafeEqual(tag, this.#tagOf(revision))) throw invalidToken()
    return Number(revision.readBigUInt64BE())
  }

  fence(todo: Message, replies: readonly Message[]): string {
    const state = canonicalize({ v: 1, todo: fencedState(todo), replies: replies.map(fencedState) }) ?? ""
    return `wsa1_${this.#hmac("holdfast.assignment-fence.v1", todo.messageId, state).toString("base64url")}`
  }

  completionId(messageId: MessageId, key: string): string {
    return this.#hmac("holdfast.completion.v1", messageId, key).toString("hex")
  }

  contentHash(purpose: "post" | "completion", content: object): string {
    return this.#hmac(`holdfast.${purpose}-content.v1`, canonicalize(content) ?? "").toString("hex")
  }

  deliveryHash(key: string): string {
    return this.#hmac("holdfast.delivery.v1", key).toString("hex")
  }

  /** Over the purpose, the Session and the parts, NUL between them. */
  #hmac(purpose: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
    const mac = createHmac("sha256", this.#key).update(`${purpose}\0${this.#sessionId}`)
    for (const part of parts) mac.update("\0").update(part)
    return mac.digest()
  }

  #makeToken(revision: number): string {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(revision))
    const tag = this.#tagOf(bytes)
    return `wso1_${Buffer.concat([tag, this.#masked(bytes, tag)]).toString("base64url")}`
  }

  #tagOf(revision: Uint8Array): Uint8Array {
    return this.#hmac("holdfast.board-cursor.v1", revision).subarray(0, TAG_BYTES)
  }

  #masked(revision: Uint8Array, tag: Uint8Array): Buffer {
    const mask = this.#hmac("holdfast.board-cursor-mask.v1", tag)
    return Buffer.from(revision.map((byte, index) => byte ^ (mask[index] ?? 0)))
  }
}

/** Exactly the members that a fence covers (spec messages.md §7); acknowledgements and completions are not among them. */
function fencedState(message: Message) {
  return {
    message_id: message.messageId,
    kind: message.kind,
    status: message.status,
    priority: message.priority,
    message: message.message,
    tags: message.tags,
    reply_to: message.replyTo ?? null,
    requires_ack: message.requiresAck,
    author_session_id: message.authorSessionId ?? null,
    created_at: message.createdAt,
    resolved_at: message.resolvedAt ?? null,
    resolution: message.resolution ?? null,
  }
}

/** The one answer for every token that is not a cursor of this board as it is. */
export function invalidToken(): ToolError<"invalid_session_message_observation_token"> {
  return new ToolError(
    "invalid_session_message_observation_token",
    "The observation token is not one of this Session's board. Leave it out to take a new baseline.",
  )
}
