import type { TestServer } from "../server.ts"

/** One call event as tests of doors look at it. */
export interface CallEvent {
  readonly kind: string
  readonly tool_name?: string
  readonly status?: string
  readonly error?: { readonly kind: string }
  readonly evidence?: { readonly execution_state?: string }
}

/** A new Session of the local principal in Project `demo`. */
export async function startSession(server: TestServer): Promise<string> {
  return String((await server.call("start_session", { project: "demo" })).output.session_id)
}

/** Events of a Session, newest first. */
export async function eventsOf(server: TestServer, sessionId: string): Promise<readonly CallEvent[]> {
  const { output } = await server.call("session_summary", { session_id: sessionId })
  return JSON.parse(JSON.stringify(output.events))
}

/** Asks until it holds; rejects with the last answer after `ms`. */
export async function eventually<T>(ms: number, ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  const until = performance.now() + ms
  for (;;) {
    const answer = await ask()
    if (holds(answer)) return answer
    if (performance.now() > until) throw new Error(`Not within ${ms} ms: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
