import { describe, expect, it } from "vitest"
import { createSignals } from "../../adapters/signals/index.ts"
import type { Topic } from "../../core/kernel/signals.ts"

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Signals over made-up versions of topics, and what each listener was told how often. */
function told(seldom: ReadonlyMap<Topic, number> = new Map()) {
  let commits = 0
  const versions = new Map<Topic, string>()
  const asked: Topic[][] = []
  const counts = new Map<string, number>()
  const signals = createSignals({
    foreignCommits: () => commits,
    seldom,
    versions: async (topics) => {
      asked.push([...topics])
      return new Map([...versions].filter(([topic]) => topics.has(topic)))
    },
  })
  return {
    signals,
    asked,
    counts,
    listen(name: string, ...topics: readonly Topic[]) {
      signals.listen(topics, { changed: () => counts.set(name, (counts.get(name) ?? 0) + 1) })
    },
    async commit(moved: Readonly<Record<Topic, string>> = {}) {
      for (const [topic, version] of Object.entries(moved)) versions.set(topicOf(topic), version)
      commits += 1
      await later(250)
    },
  }
}

function topicOf(text: string): Topic {
  const [kind = "", id = ""] = text.split(":")
  return `${kind}:${id}`
}

describe("commits of another process", () => {
  it("wake only those whose topic has another version, and everybody whose topic has none", async () => {
    const { signals, listen, commit, counts, asked } = told()
    listen("a", "board:a")
    listen("b", "board:b")
    listen("job", "job:j")
    await commit({ "board:a": "1", "board:b": "1" })
    // Nobody has asked for these versions before: they may be new.
    expect(Object.fromEntries(counts)).toEqual({ a: 1, b: 1, job: 1 })
    await commit({ "board:b": "2" })
    await commit()
    expect(Object.fromEntries(counts)).toEqual({ a: 1, b: 2, job: 3 })
    expect(asked).toHaveLength(3)
    signals.close()
  })

  it("wake for a seldom topic at once, then at most once in its time, and never lose the last one", async () => {
    const { signals, listen, commit, counts } = told(new Map([["access:all", 1000]]))
    listen("waiter", "board:a", "access:all")
    await commit({ "board:a": "1" })
    const first = counts.get("waiter") ?? 0
    await commit()
    await commit()
    expect(counts.get("waiter")).toBe(first)
    await later(900)
    expect(counts.get("waiter")).toBe(first + 1)
    await later(1200)
    expect(counts.get("waiter")).toBe(first + 1)
    signals.close()
  })

  it("wake everybody while the store cannot say what moved", async () => {
    let commits = 0
    const signals = createSignals({
      foreignCommits: () => commits,
      versions: () => Promise.reject(new Error("no store")),
    })
    const waiting = signals.wait(["board:a"], { timeoutMs: 10_000 })
    commits += 1
    expect(await waiting).toBe(true)
    signals.close()
  })
})
