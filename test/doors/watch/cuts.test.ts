import { expect, it } from "vitest"
import { startServer } from "../../support/server.ts"
import { openEvents, type ReceivedEvent, textOf } from "./event-source.ts"

const LINES = 60
const JOBS = 5

/** A fixed sequence of small numbers, so that a failure can be repeated. */
function createDice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % sides
  }
}

it("a watcher whose connection breaks again and again misses nothing and is told nothing twice", async () => {
  const roll = createDice(20_260_504)
  await using server = await startServer()
  const { output } = await server.call("session_create", { transport: "local" })
  const shell = String(output["session_id"])
  const events: ReceivedEvent[] = []
  await using first = await openEvents(server.url, { token: server.token })
  await first.until((all) => all.length > 0)
  events.push(...first.events)
  await first.close()
  const text = (name: string) => `for i in $(seq ${LINES}); do echo ${name}$i; echo E$i >&2; sleep 0.01; done`
  const running = [
    ...Array.from({ length: JOBS }, (_, index) =>
      server.call("run_shell", { project: "demo", command: text(`${"abcdefgh".charAt(index)}-`) }),
    ),
    server.call("session_exec", { session_id: shell, command: text("s-") }),
    server.call("session_exec", { session_id: shell, command: "echo short" }),
  ]
  const endsIn = (some: readonly ReceivedEvent[]): number =>
    some.filter(({ event }) => event === "command_ended").length
  while (endsIn(events) < running.length) {
    const after = events.at(-1)?.id ?? ""
    const stream = await openEvents(server.url, { token: server.token, after })
    const wanted = 1 + roll(9)
    await stream.until((all) => all.length >= wanted || endsIn(events) + endsIn(all) === running.length)
    // What was sent and not read counts as lost with the connection.
    events.push(...stream.events.slice(0, wanted))
    await stream.close()
  }
  const jobs = (await Promise.all(running)).map((answer) => answer.output["job_id"])
  for (const [index, jobId] of jobs.entries()) {
    const own = events.filter(({ data }) => data["job_id"] === jobId)
    const kinds = own.map(({ event }) => event)
    expect(kinds[0]).toBe("command_started")
    expect(kinds.at(-1)).toBe("command_ended")
    expect(kinds.filter((kind) => kind !== "output")).toHaveLength(2)
    const name = index < JOBS ? `${"abcdefgh".charAt(index)}-` : "s-"
    const lines = (of: (line: number) => string) =>
      Array.from({ length: LINES }, (_, line) => `${of(line + 1)}\n`).join("")
    const isLong = index < running.length - 1
    expect(textOf(events, jobId)).toBe(isLong ? lines((line) => `${name}${line}`) : "short\n")
    expect(textOf(events, jobId, "stderr")).toBe(isLong ? lines((line) => `E${line}`) : "")
  }
  expect(events.filter(({ event }) => event === "shell_opened")).toHaveLength(1)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
})
