import { writeSync } from "node:fs"
import { workTools } from "../../domain/sessions/work-tools.ts"
import { createHarness } from "../../support/harness.ts"
import type { Operation } from "./model.ts"

// Does random things in the active Sessions of Project `a`, one after the other: `> intent` before each, `< reply` after it.
const [home = "", dataDir = "", count = "0"] = process.argv.slice(2)
const harness = await createHarness({ beside: { home, dataDir }, tools: workTools })
await harness.startUpkeep()

const tell = (mark: ">" | "<", value: object): void => void writeSync(1, `${mark} ${JSON.stringify(value)}\n`)
const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(Math.random() * of.length)]

const listed = await harness.ok("list_sessions", { lifecycle: "active", limit: 50 })
const active: string[] = (Array.isArray(listed.sessions) ? listed.sessions : []).map(({ session_id }) =>
  String(session_id),
)

function next(): Operation {
  const session = pick(active)
  const chance = Math.random()
  if (session === undefined || chance < 0.12) return { kind: "start" }
  if (chance < 0.25) return { kind: "context", session, cwd: pick(["a", "b/c", undefined]) }
  if (chance < 0.3 && active.length > 2) return { kind: "close", session }
  const recorder = Math.random() < 0.3 ? pick(active) : undefined
  return {
    kind: "call",
    tool: pick(["t_read", "t_edit"] as const) ?? "t_read",
    session,
    recorder,
    fail: Math.random() < 0.2,
  }
}

async function perform(operation: Operation): Promise<object> {
  switch (operation.kind) {
    case "start": {
      const { session_id } = await harness.ok("start_session", { project: "a" })
      active.push(String(session_id))
      return { session_id }
    }
    case "context": {
      const execution_context = operation.cwd === undefined ? {} : { default_cwd: operation.cwd }
      await harness.ok("update_session_context", { project: "a", session_id: operation.session, execution_context })
      return {}
    }
    case "close":
      await harness.ok("close_session", { session_id: operation.session })
      active.splice(active.indexOf(operation.session), 1)
      return {}
    case "call": {
      const input = { session_id: operation.session, paths: ["f"], fail: operation.fail }
      const how = operation.recorder === undefined ? {} : { recorder: operation.recorder }
      const { result } = await harness.call(operation.tool, input, how)
      return { success: result.success, attached: result.attached ?? null }
    }
  }
}

for (let done = 0; done < Number(count); done += 1) {
  const operation = next()
  tell(">", operation)
  tell("<", await perform(operation))
}
await harness[Symbol.asyncDispose]()
