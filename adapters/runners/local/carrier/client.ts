import { setTimeout as sleep } from "node:timers/promises"
import { isToolError, ToolError } from "../../../../core/kernel/error.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import type { HostCall, PortCall } from "./calls.ts"
import { ConnectionLost } from "./connection.ts"
import { type Contact, HostUnreachable, type Reached } from "./contact.ts"

/** How often one who waits for the first host looks whether another server has started it. */
const LOOK_EVERY_MS = 500

/** Calls to whichever host there is at the time. */
export interface HostClient {
  readonly contact: Contact
  /**
   * Asks the host, starting one where none lives; asked again of the next one when it dies meanwhile. Only for calls that may
   * be carried out twice. Throws `runner_unavailable`.
   */
  ask<T>(method: PortCall, argsFor: (host: Reached, isNew: boolean) => readonly unknown[]): Promise<T>
  /** The same for one who waits: an unreachable host is tried again until the signal aborts. */
  askPatiently<T>(
    method: PortCall,
    argsFor: (host: Reached, isNew: boolean) => readonly unknown[],
    signal?: AbortSignal,
  ): Promise<T>
  /** Asks once what must not be done twice. Throws `runner_unavailable`, `outcome_unknown`. */
  askMutating<T>(method: PortCall, args: readonly unknown[]): Promise<T>
  /** As `ask`, where a data directory without a host has the answer `otherwise`. */
  askKnown<T>(method: PortCall, argsFor: (host: Reached) => readonly unknown[], otherwise: T): Promise<T>
  /** Asks one host once; throws `ConnectionLost` when it dies meanwhile. */
  askOnce<T>(host: Reached, method: PortCall, args: readonly unknown[]): Promise<T>
  /** Tells the host, if one is reached, what it need not answer and may never hear. */
  tell(method: PortCall, args: readonly unknown[]): void
  /** Whether a host that died had accepted a Job; throws `ConnectionLost`. */
  wasAccepted(host: Reached, deadHostId: string, jobId: JobId): Promise<boolean>
  /** The host, started where none lives. Throws `runner_unavailable`. */
  host(): Promise<Reached>
  /** The first host that there is after no one was found, or `undefined` when the signal aborts. */
  appears(signal?: AbortSignal): Promise<Reached | undefined>
}

/** Calls over a contact. */
export function createHostClient(contact: Contact): HostClient {
  async function host(): Promise<Reached> {
    return contact.reach().catch(refuse)
  }

  async function find(): Promise<Reached | undefined> {
    return contact.find().catch(refuse)
  }

  async function untilAnswered<T>(
    next: () => Promise<Reached | undefined>,
    method: PortCall,
    argsFor: (host: Reached, isNew: boolean) => readonly unknown[],
  ): Promise<{ readonly value: T } | undefined> {
    let asked: string | undefined
    for (;;) {
      const reached = await next()
      if (reached === undefined) return undefined
      const isNew = asked !== undefined && asked !== reached.hostId
      asked = reached.hostId
      try {
        return { value: await reached.connection.call<T>(method, argsFor(reached, isNew)) }
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
      }
    }
  }

  async function ask<T>(method: PortCall, argsFor: (host: Reached, isNew: boolean) => readonly unknown[]): Promise<T> {
    const answer = await untilAnswered<T>(host, method, argsFor)
    if (answer === undefined) throw unavailable("the Runner host does not answer")
    return answer.value
  }

  return {
    contact,
    host,
    ask,
    async askPatiently<T>(
      method: PortCall,
      argsFor: (host: Reached, isNew: boolean) => readonly unknown[],
      signal?: AbortSignal,
    ): Promise<T> {
      for (;;) {
        try {
          return await ask<T>(method, argsFor)
        } catch (error) {
          const mayCome = isToolError(error) && error.kind === "runner_unavailable" && !contact.isClosed
          if (!mayCome || signal === undefined || signal.aborted) throw error
          await pause(signal)
        }
      }
    },
    async askMutating<T>(method: PortCall, args: readonly unknown[]): Promise<T> {
      const reached = await host()
      try {
        return await reached.connection.call<T>(method, args)
      } catch (error) {
        throw error instanceof ConnectionLost ? unknownEnd() : error
      }
    },
    async askKnown<T>(method: PortCall, argsFor: (host: Reached) => readonly unknown[], otherwise: T): Promise<T> {
      const answer = await untilAnswered<T>(find, method, argsFor)
      return answer === undefined ? otherwise : answer.value
    },
    wasAccepted: ({ connection }, deadHostId, jobId) =>
      connection.call<boolean>("host.accepted" satisfies HostCall, [deadHostId, jobId]),
    askOnce: (reached, method, args) => reached.connection.call(method, args),
    tell: (method, args) => contact.current?.connection.tell(method, args),
    async appears(signal) {
      while (signal?.aborted !== true) {
        const reached = await contact.find().catch(() => undefined)
        if (reached !== undefined) return reached
        if (contact.isClosed) return undefined
        await pause(signal)
      }
      return undefined
    },
  }
}

function pause(signal: AbortSignal | undefined): Promise<void> {
  const options = { ref: false, ...(signal === undefined ? {} : { signal }) }
  // Aborted: whoever waited looks at the signal himself.
  return sleep(LOOK_EVERY_MS, undefined, options).catch(() => undefined)
}

function unknownEnd(): ToolError<"outcome_unknown"> {
  return new ToolError(
    "outcome_unknown",
    "The Runner host died while it did this. Look at what there is, then decide.",
    {
      details: { reason: "host_lost" },
      executionState: "outcome_unknown",
    },
  )
}

function refuse(error: unknown): never {
  throw error instanceof HostUnreachable ? unavailable(error.message, error) : error
}

function unavailable(why: string, cause?: unknown): ToolError<"runner_unavailable"> {
  return new ToolError("runner_unavailable", `Commands cannot be run now: ${why}. Try again later.`, {
    details: { client_id: "local" },
    executionState: "not_started",
    cause,
  })
}
