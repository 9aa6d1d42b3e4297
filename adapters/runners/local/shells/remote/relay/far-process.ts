/** One process on the target, for ever: pid and start time name it. */
export interface FarProcess {
  readonly pid: number
  readonly parent: number
  readonly session: number
  /** In the target's clock ticks since its boot, as text. */
  readonly startTime: string
  readonly zombie: boolean
  readonly name: string
}

/** Reads the table that the relay prints: a line a process. */
export function parseTable(text: string): readonly FarProcess[] {
  return text.split("\n").flatMap((line) => {
    const [pid, parent, session, startTime, state, ...name] = line.split(" ")
    if (pid === undefined || startTime === undefined || pid === "") return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        session: Number(session),
        startTime,
        zombie: state === "Z" || state === "X",
        name: name.join(" "),
      },
    ]
  })
}

/** Everything below a process, living; parents before their children. */
export function descendantsOf(root: number, table: readonly FarProcess[]): readonly FarProcess[] {
  const found: FarProcess[] = []
  const parents = new Set([root])
  for (let grown = true; grown; ) {
    grown = false
    for (const one of table) {
      if (parents.has(one.pid) || !parents.has(one.parent)) continue
      parents.add(one.pid)
      found.push(one)
      grown = true
    }
  }
  return found.filter((one) => !one.zombie)
}

/** The process with this pid; a dead one that nobody has reaped is none. */
export function livingOne(pid: number, table: readonly FarProcess[]): FarProcess | undefined {
  return table.find((one) => one.pid === pid && !one.zombie)
}

/** Those that are not among others, by pid and start time. */
export function without(list: readonly FarProcess[], others: readonly FarProcess[]): readonly FarProcess[] {
  const known = new Set(others.map(({ pid, startTime }) => `${pid} ${startTime}`))
  return list.filter(({ pid, startTime }) => !known.has(`${pid} ${startTime}`))
}

/** Of processes that hang together, the topmost of each tree. */
export function rootsOf(list: readonly FarProcess[]): readonly FarProcess[] {
  const pids = new Set(list.map(({ pid }) => pid))
  return list.filter(({ parent }) => !pids.has(parent))
}
