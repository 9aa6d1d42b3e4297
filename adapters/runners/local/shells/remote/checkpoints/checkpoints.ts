import { z } from "zod"
import { ToolError } from "../../../../../../core/kernel/error.ts"
import type { Checkpoint } from "../../../../../../core/shells/runner.ts"
import type { SeatCheckpoints } from "../../transport.ts"
import {
  type CheckpointNote,
  type CheckpointPlace,
  createScript,
  listScript,
  probeScript,
  restoreScript,
} from "./checkpoint-script.ts"
import { isReadOnly } from "./read-only.ts"

/** Checkpoints of one remote workspace (spec shells.md §12); every method throws `checkpoint_unsupported` where they cannot be. */
export interface Checkpoints extends SeatCheckpoints {
  /** Whether they can be made at all decides what is automatic. */
  prepare(): Promise<void>
  /** A command is about to run. */
  before(text: string): Promise<void>
}

/** What checkpoints need; the script runs in an `sh` of its own, so that the shell's link stays free. */
export interface CheckpointPorts {
  /** Absent: the shell was opened without a workspace. */
  place(): CheckpointPlace | undefined
  /** Lines that a script prints on the target. */
  run(script: string): Promise<string>
  now(): number
}

const KEPT_AUTOMATIC = 100
const ID = /^[0-9a-f]{40}$/
const SAFETY_LABEL = "before a restore"
const noteSchema = z.object({ label: z.string(), automatic: z.boolean(), safety: z.boolean(), at: z.number() })

/** One store of checkpoints, in the order of its operations; `wasAutomatic`: what a host that is gone had found out. */
export function createCheckpoints(ports: CheckpointPorts, wantsAutomatic: boolean, wasAutomatic = false): Checkpoints {
  let isAutomatic = wasAutomatic
  let line: Promise<unknown> = Promise.resolve()
  let lastAt = 0

  /** Ids of checkpoints need moments of their own. */
  function moment(): number {
    lastAt = Math.max(ports.now(), lastAt + 1)
    return lastAt
  }

  function place(): CheckpointPlace {
    const found = ports.place()
    if (found === undefined) throw unsupported("no_workspace")
    return found
  }

  /** One after the other: they share an index. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = line.then(work, work)
    line = turn.catch(() => undefined)
    return turn
  }

  async function ask(script: string): Promise<readonly string[]> {
    const lines = (await ports.run(script)).trimEnd().split("\n")
    const failed = lines.find((said) => said.startsWith("fail "))?.slice("fail ".length)
    if (failed === "no_git" || failed === "no_workspace") throw unsupported(failed)
    if (failed === "unknown") throw notFound()
    if (failed !== undefined) throw broken()
    return lines
  }

  async function make(note: CheckpointNote): Promise<string | undefined> {
    const [word, id] = (await ask(createScript(place(), note, KEPT_AUTOMATIC))).at(-1)?.split(" ") ?? []
    if (word === "same") return undefined
    if (word !== "made" || id === undefined) throw broken()
    return id
  }

  async function stored(): Promise<readonly (Checkpoint & { readonly safety: boolean })[]> {
    const lines = await ask(listScript(place()))
    if (lines.at(-1) !== "listed") throw broken()
    return lines.flatMap(parseLine).toSorted((a, b) => b.createdAt - a.createdAt)
  }

  return {
    get isAutomatic() {
      return isAutomatic
    },
    async prepare() {
      if (!wantsAutomatic || ports.place() === undefined) return
      isAutomatic = await ask(probeScript(place())).then(
        (lines) => lines.at(-1) === "ready",
        () => false,
      )
    },
    async before(text) {
      if (!isAutomatic || isReadOnly(text)) return
      const note = { label: "", automatic: true, safety: false, at: moment() }
      // A workspace that cannot be taken now must not keep its user from working.
      await inTurn(() => make(note)).catch(() => undefined)
    },
    create: (label) =>
      inTurn(async () => {
        const note = { label, automatic: false, safety: false, at: moment() }
        const id = await make(note)
        if (id === undefined) throw broken()
        return { id, label, createdAt: note.at, automatic: false }
      }),
    list: () => inTurn(async () => (await stored()).map(({ safety: _safety, ...checkpoint }) => checkpoint)),
    restore: (wanted) =>
      inTurn(async () => {
        const known = await stored()
        const chosen =
          wanted === undefined ? known.find(({ safety }) => !safety) : known.find(({ id }) => id === wanted)
        if (chosen === undefined || !ID.test(chosen.id)) throw notFound()
        const safety = { label: SAFETY_LABEL, automatic: true, safety: true, at: moment() }
        const [word, id, changed, removed] =
          (await ask(restoreScript(place(), chosen.id, safety))).at(-1)?.split(" ") ?? []
        if (word !== "restored" || id === undefined) throw broken()
        const counts = { filesChanged: Number(changed), removed: Number(removed) }
        return { restoredTo: chosen.id, ...counts, safetyCheckpointId: id }
      }),
  }
}

function parseLine(line: string): readonly (Checkpoint & { readonly safety: boolean })[] {
  const space = line.indexOf(" ")
  if (space === -1) return []
  try {
    const { at, ...note } = noteSchema.parse(JSON.parse(line.slice(space + 1)))
    return [{ id: line.slice(0, space), createdAt: at, ...note }]
  } catch {
    return []
  }
}

/** There are no checkpoints for this shell. */
export function unsupported(reason: "local" | "no_workspace" | "no_git"): ToolError<"checkpoint_unsupported"> {
  const sentences = {
    local: "Checkpoints exist for remote workspaces. Use the workspace tools.",
    no_workspace: "The shell has no workspace there: it was opened without one, or the folder is gone.",
    no_git: "The target has no git, which checkpoints need. Install it there.",
  }
  return new ToolError("checkpoint_unsupported", sentences[reason], {
    details: { reason },
    executionState: "not_started",
  })
}

function notFound(): ToolError<"checkpoint_not_found"> {
  return new ToolError("checkpoint_not_found", "There is no such checkpoint of this shell. List them first.", {
    executionState: "not_started",
  })
}

function broken(): ToolError<"runner_unavailable"> {
  return new ToolError(
    "runner_unavailable",
    "The target did not finish the checkpoint. Look at the workspace, then retry.",
    {
      details: {},
    },
  )
}
