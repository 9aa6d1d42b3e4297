import type { Command } from "commander"
import { z } from "zod"
import { sessionIdSchema } from "../../core/kernel/ids.ts"
import { expireSession } from "../../core/sessions/retention.ts"
import { parseInput } from "./parse-input.ts"
import { atSessionDesk } from "./sessions/desk.ts"
import { readExport } from "./sessions/export.ts"
import { listText, readList } from "./sessions/list.ts"
import { paintFor } from "./sessions/paint.ts"
import { readSummary, summaryText } from "./sessions/show.ts"
import { followTail, readTail } from "./sessions/tail.ts"
import { timelineLine } from "./sessions/timeline.ts"
import { say, show, type Terminal } from "./terminal.ts"
import { untilStopped } from "./until-stopped.ts"

const DATA_DIR = [
  "--data-dir <path>",
  "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
] as const
const JSON_FLAG = ["--json", "print JSON"] as const
const MOST_EVENTS = 2_000

interface Common {
  readonly dataDir?: string
  readonly json?: boolean
}

const count = (most: number) => {
  const message = `must be a whole number from 1 to ${most}`
  return z
    .string()
    .regex(/^\d{1,6}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(most, message))
}
const givenId = z
  .string()
  .regex(/^wc_sess_.{16}$/, "must be the id of a Session as the list shows it: wc_sess_ and 16 characters")
  .pipe(sessionIdSchema)
const listSchema = z.object({
  project: z.string().optional(),
  lifecycle: z.enum(["active", "closed"]).optional(),
  limit: count(MOST_EVENTS).default(50),
})
const oneSchema = z.object({ id: givenId })
const linesSchema = z.object({ id: givenId, lines: count(MOST_EVENTS).default(20) })

/** `holdfast sessions list|show|tail|export|expire`: what agents did, for the operator (spec sessions.md §6). */
export function addSessionsCommands(program: Command, terminal: Terminal, fail: () => void): void {
  const sessions = program.command("sessions").description("look at Workflow Sessions of every user")
  addList(sessions, terminal)
  addShow(sessions, terminal)
  addTail(sessions, terminal)
  addExport(sessions, terminal)
  addExpire(sessions, terminal, fail)
}

function addList(sessions: Command, terminal: Terminal): void {
  sessions
    .command("list")
    .description("list Sessions, newest change first")
    .option("--project <slug>", "only Sessions of this Project")
    .option("--lifecycle <state>", "active or closed; default both")
    .option("--limit <count>", "most Sessions to list, 1 to 2000; default 50")
    .option(...JSON_FLAG)
    .option(...DATA_DIR)
    .action(async ({ dataDir, json, ...rest }: Common & Record<string, unknown>) => {
      const { project, lifecycle, limit } = parseInput(listSchema, rest)
      const asked = {
        limit,
        ...(project === undefined ? {} : { project }),
        ...(lifecycle === undefined ? {} : { lifecycle }),
      }
      const listed = await atSessionDesk(terminal, dataDir, (desk) => readList(desk, asked))
      show(terminal, json, listed, () => listText(listed, paintFor(terminal)))
    })
}

function addShow(sessions: Command, terminal: Terminal): void {
  sessions
    .command("show <id>")
    .description("show one Session: state, counts and its newest events")
    .option("--lines <count>", "events to show, 1 to 2000; default 20")
    .option(...JSON_FLAG)
    .option(...DATA_DIR)
    .action(async (id: string, { dataDir, json, lines }: Common & { readonly lines?: string }) => {
      const asked = parseInput(linesSchema, { id, lines })
      const summary = await atSessionDesk(terminal, dataDir, (desk) => readSummary(desk, asked.id, asked.lines))
      show(terminal, json, summary, () => summaryText(summary, paintFor(terminal)))
    })
}

interface TailFlags extends Common {
  readonly lines?: string
  readonly follow?: boolean
}

function addTail(sessions: Command, terminal: Terminal): void {
  sessions
    .command("tail <id>")
    .description("print the newest events of one Session, a line each")
    .option("--lines <count>", "events to print, 1 to 2000; default 20")
    .option("-f, --follow", "go on with events as they come, until Ctrl-C")
    .option(...DATA_DIR)
    .action(async (id: string, { dataDir, lines, follow }: TailFlags) => {
      const asked = parseInput(linesSchema, { id, lines })
      const paint = paintFor(terminal)
      await atSessionDesk(terminal, dataDir, async (desk) => {
        const events = await readTail(desk, asked.id, asked.lines)
        for (const event of events) say(terminal, timelineLine(event, paint))
        if (follow !== true) return
        await untilStopped(terminal, async () => {
          const ending = new AbortController()
          desk.unread.addEventListener("abort", () => ending.abort())
          const ended = followTail(
            desk,
            { sessionId: asked.id, after: events.at(-1)?.seq ?? 0, signal: ending.signal },
            (event) => say(terminal, timelineLine(event, paint)),
          )
          return {
            close: async () => {
              ending.abort()
              await ended
            },
            ended,
          }
        })
      })
    })
}

function addExport(sessions: Command, terminal: Terminal): void {
  sessions
    .command("export <id>")
    .description("print one Session as JSON Lines: the Session, its events, its messages")
    .option(...DATA_DIR)
    .action(async (id: string, { dataDir }: Common) => {
      const asked = parseInput(oneSchema, { id })
      const lines = await atSessionDesk(terminal, dataDir, (desk) => readExport(desk, asked.id))
      for (const line of lines) say(terminal, JSON.stringify(line))
    })
}

const REFUSALS = {
  active: "is active; close it first, then let it expire.",
  busy: "still has calls, Jobs or a shell that go on; wait until they have ended.",
} as const

function addExpire(sessions: Command, terminal: Terminal, fail: () => void): void {
  sessions
    .command("expire <id>")
    .description("remove one closed Session with its events now, before its time")
    .option(...DATA_DIR)
    .action(async (id: string, { dataDir }: Common) => {
      const asked = parseInput(oneSchema, { id })
      const end = await atSessionDesk(terminal, dataDir, ({ store, clock }) =>
        store.write((tx) => expireSession(tx, asked.id, clock.now())),
      )
      if (end === "expired") return say(terminal, `${asked.id} has expired.`)
      terminal.stderr.write(`holdfast: ${asked.id} ${REFUSALS[end]}\n`)
      fail()
    })
}
