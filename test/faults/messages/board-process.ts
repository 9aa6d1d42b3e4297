import { createHarness } from "../../support/harness.ts"

/**
 * A server process of a data directory that works on one board: `<home> <data directory> <session> <work> [<input>]`. It says
 * what it did in JSON lines, each as soon as the reply is there.
 */
const [home = "", dataDir = "", session_id = "", work = "", input = "[]"] = process.argv.slice(2)
const harness = await createHarness({ beside: { home, dataDir } })
const say = (line: unknown): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
const post = async (kind: string, more: object = {}): Promise<string> =>
  String((await harness.ok("post_session_message", { session_id, kind, message: `a ${kind}`, ...more })).message_id)

/** Completes a todo; what became of it. */
async function complete(message_id: string, key: string, fence: unknown): Promise<string> {
  const { result } = await harness.call("complete_session_message", {
    session_id,
    message_id,
    answer: `by ${key}`,
    completion_key: key,
    expected_assignment_fence: fence,
  })
  return result.success ? "success" : result.error.kind
}

const fenceOf = async (message_id: string) =>
  (await harness.ok("get_session_assignment", { session_id, message_id })).assignment_fence

/** Posts until it is killed. */
async function postForever(): Promise<never> {
  for (;;) say(await post("note"))
}

/** Posts todos and completes them until it is killed. */
async function completeForever(): Promise<never> {
  for (;;) {
    const todo = await post("todo")
    say({ todo })
    say({ completed: todo, as: await complete(todo, "k", await fenceOf(todo)) })
  }
}

/** Completes todos of a list of `[id, fence]` under a key of its own, and says what became of each. */
async function race({ key, todos }: { key: string; todos: readonly (readonly [string, string])[] }): Promise<void> {
  for (const [todo, fence] of todos) say(await complete(todo, key, fence))
}

/** Posts, replies, resolves and completes; says every message that it posted. */
async function chatter({ count }: { count: number }): Promise<void> {
  const kinds = ["note", "todo", "risk", "progress", "answer"]
  const own: string[] = []
  for (let step = 0; step < count; step += 1) {
    const message_id = await post(kinds[step % kinds.length] ?? "note", step % 7 === 3 ? { reply_to: own.at(-1) } : {})
    own.push(message_id)
    say({ message_id })
    if (step % 3 === 0) await harness.call("resolve_session_message", { session_id, message_id, resolution: "x" })
    else if (step % 5 === 1) await complete(message_id, "c", await fenceOf(message_id))
  }
}

switch (work) {
  case "post":
    await postForever()
    break
  case "complete":
    await completeForever()
    break
  case "race":
    await race(JSON.parse(input))
    break
  case "chatter":
    await chatter(JSON.parse(input))
    break
}
await harness[Symbol.asyncDispose]()
