/** What a child does next; `session` and `recorder` are ids of active Sessions. */
export type Operation =
  | { readonly kind: "start" }
  | { readonly kind: "context"; readonly session: string; readonly cwd?: string | undefined }
  | { readonly kind: "close"; readonly session: string }
  | {
      readonly kind: "call"
      readonly tool: "t_read" | "t_edit"
      readonly session: string
      readonly recorder?: string | undefined
      readonly fail: boolean
    }

/** What a Session shows that operations change. */
export interface Expected {
  readonly lifecycle: "active" | "closed"
  readonly cwd: string | null
  readonly edited: boolean
  readonly events: number
  readonly succeeded: number
  readonly failed: number
}

/** All Sessions by id. */
export type Model = ReadonlyMap<string, Expected>

export const FRESH: Expected = { lifecycle: "active", cwd: null, edited: false, events: 1, succeeded: 0, failed: 0 }

/** How the call of an operation ended; `killed` is told by recovery as a failure. */
export type CallEnd = "as_asked" | "killed"

/** The model after an operation; `made` is the id that a start returned. */
export function after(
  model: Model,
  operation: Operation,
  { made, end = "as_asked" }: { readonly made?: string; readonly end?: CallEnd } = {},
): Model {
  const next = new Map(model)
  const change = (id: string, by: (before: Expected) => Partial<Expected>): void => {
    const before = next.get(id)
    if (before === undefined) throw new Error(`The model has no Session ${id}.`)
    next.set(id, { ...before, ...by(before) })
  }
  switch (operation.kind) {
    case "start":
      if (made === undefined) throw new Error("A start returned no id.")
      next.set(made, FRESH)
      break
    case "context": {
      const cwd = operation.cwd ?? null
      change(operation.session, (before) => (before.cwd === cwd ? {} : { cwd, events: before.events + 1 }))
      break
    }
    case "close":
      change(operation.session, ({ events }) => ({ lifecycle: "closed", events: events + 1 }))
      break
    case "call": {
      const { session, recorder, tool } = operation
      const failed = operation.fail || end === "killed"
      const count = ({ succeeded, failed: before }: Expected) =>
        failed ? { failed: before + 1 } : { succeeded: succeeded + 1 }
      for (const id of new Set([session, recorder ?? session])) {
        change(id, (before) => ({
          ...count(before),
          events: before.events + (recorder === session ? 4 : 2),
          edited: before.edited || (tool === "t_edit" && !failed),
        }))
      }
    }
  }
  return next
}

/** Every state that may be found when the process died in the operation: not begun, done, or a call that was begun. */
export function possibleAfter(
  model: Model,
  pending: Operation | undefined,
  stranger: string | undefined,
): readonly Model[] {
  if (pending === undefined) return [model]
  if (pending.kind === "start") return stranger === undefined ? [model] : [after(model, pending, { made: stranger })]
  if (pending.kind !== "call") return [model, after(model, pending)]
  return [model, after(model, pending), after(model, pending, { end: "killed" })]
}
