/** What a waiter may wait for: a change of one Job, of one Session's board, and so on: `<kind>:<id>`. */
export type Topic = `${string}:${string}`

/** Told that something may have changed. It must not throw. */
export interface ChangeListener {
  changed(): void
}

/** Wakes waiters when stored state changed, in this process or another one of the data directory (design §6). */
export interface Signals {
  /** Tells waiters of the topic that its state may have changed; called after the commit. */
  notify(topic: Topic): void
  /** Tells the listener of every later change of one of the topics, until it is taken off. */
  listen(topics: readonly Topic[], listener: ChangeListener): void
  /** Takes a listener off; one that is not there is left alone. */
  unlisten(listener: ChangeListener): void
  /**
   * Resolves `true` at the next change of one of the topics, `false` after `timeoutMs`; rejects with the signal's reason
   * when it aborts. A waiter registers first and re-reads state before it waits, so no change is missed.
   */
  wait(
    topics: readonly Topic[],
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<boolean>
}

/** How seldom waits look at their access again while other processes commit, ms; a revocation ends waits within 5 s. */
export const ACCESS_LOOK_MS = 2000

/** Told when a credential or user lost something, so that waits look again whether they may go on (spec kernel.md §2.2). */
export const ACCESS_TOPIC: Topic = "access:all"
