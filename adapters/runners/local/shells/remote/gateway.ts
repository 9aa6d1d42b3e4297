import type { ToolError } from "../../../../../core/kernel/error.ts"
import type { ContainerLife } from "./container/inspect.ts"
import type { ChannelCommand, ChannelEnd } from "./relay/channel.ts"

/** One way to a target: how a far `sh` is started there, and what a failure of that means. */
export interface Gateway {
  /** Of a container: in which of its lives shells are; another one is another target. */
  readonly life?: ContainerLife | undefined
  /** The client that carries the link. Throws what the target's own rules refuse, such as a container that is gone. */
  link(): Promise<ChannelCommand>
  /** A further client beside a link that stands; its far `sh` is in a session of its own. */
  side(): Promise<ChannelCommand>
  /** Whether a link that does not answer can still be hoped for. */
  isHealthy(): Promise<boolean>
  /** The link is gone: what it left here is removed. */
  dropped(): void
  /** The target may be another one from now on: a new shell is opened in place of a lost one. */
  renew(): void
  /** Why a client ended before the far end had said a word. */
  explain(end: ChannelEnd): ToolError
  /** Nothing of this way is needed any more. */
  close(): void
}
