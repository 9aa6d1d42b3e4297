import { z } from "zod"

const text = z.string()
const count = z.number()
const command = { job_id: text, shell_id: text.optional() }
const piece = { ...command, stream: z.enum(["stdout", "stderr"]), offset: count, bytes: count }

/** An event of `GET /api/runtime/stream` as it is shown; members that a later server adds are passed on (spec shells.md §13). */
export const wireEventSchema = z.discriminatedUnion("event", [
  z.looseObject({ event: z.literal("shell_opened"), shell_id: text, shell: text, cwd: text, transport: text }),
  z.looseObject({ event: z.literal("command_started"), ...command, tool: text, command: text.optional() }),
  z.looseObject({ event: z.literal("output"), ...piece, text }),
  z.looseObject({ event: z.literal("gap"), ...piece }),
  z.looseObject({
    event: z.literal("command_ended"),
    ...command,
    outcome: text,
    exit_code: count.nullable(),
    signal: text.optional(),
  }),
  z.looseObject({ event: z.literal("shell_closed"), shell_id: text, state: text, reason: text.optional() }),
])

/** One event. */
export type WireEvent = z.infer<typeof wireEventSchema>

/** What an event belongs to, as it is listed: a live shell, or a command that runs in none. */
export const ownerOf = (event: WireEvent): string => event.shell_id ?? ("job_id" in event ? String(event.job_id) : "")
