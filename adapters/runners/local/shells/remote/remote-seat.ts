import { setTimeout as sleep } from "node:timers/promises"
import type { Survivor } from "../../../../../core/jobs/record.ts"
import type { BackgroundProcess } from "../../../../../core/jobs/runner.ts"
import type { Dialect } from "../../../../../core/shells/record.ts"
import { createDeferred } from "../../host/deferred.ts"
import type { MaskText } from "../../host/naming.ts"
import type { Tokens } from "../tokens.ts"
import type { EndBackground, Seat, SeatClosed, SeatCwd, SeatDeath } from "../transport.ts"
import type { FarCardKeeper } from "./adopt/keep-far-card.ts"
import { readDeath } from "./far-death.ts"
import { createFarNaming } from "./far-naming.ts"
import type { Gateway } from "./gateway.ts"
import type { SeatMemory } from "./memory.ts"
import { descendantsOf, type FarProcess, livingOne } from "./relay/far-process.ts"
import { endFarTree, farMembers } from "./relay/far-tree.ts"
import { identified } from "./relay/identified.ts"
import type { FarState, Relay } from "./relay/relay.ts"
import { answerOr, type Tether } from "./relay/tether.ts"
import { climbRemoteLadder } from "./remote-ladder.ts"
import { type RemoteRun, startRemoteRun } from "./remote-run.ts"
import { watchFarShell } from "./shell-watch.ts"
import { createWedgeSense } from "./wedge-sense.ts"

const REST_MS = 20
const END_GRACE_MS = 500
const CLOSE_MS = 2900
const NOTHING_ENDED: SeatClosed = { ended: [], kept: [], survivors: [] }

/** What a far seat is made of. */
export interface RemoteSeatOptions {
  readonly dialect: Dialect
  readonly relay: Relay
  readonly tether: Tether
  readonly pid: number
  /** `NAME=value` that everything started in it carries. */
  readonly marker: string
  readonly cwd: string
  readonly memory: SeatMemory
  /** Where the target tells it: by it a process is the shell. */
  readonly startTime?: string
  readonly gateway: Gateway
  /** Resolves when the shell's parent is gone, if the link stood until then; absent: another host had launched it. */
  readonly parentGone?: Promise<unknown>
  /** What the next host would have to know. */
  readonly keeper: Pick<FarCardKeeper, "note" | "detached">
}

/** What seats of all targets have in common. */
export interface RemoteSeatPorts {
  readonly tokens: Tokens
  readonly mask: MaskText
  /** A command is about to run. */
  before(text: string): Promise<void>
  /** Called once, when the seat needs its target no more; `left`: the shell goes on there by itself. */
  released(how: "ended" | "left"): Promise<void>
}

/** A seat over a shell that has answered a frame. */
export function createRemoteSeat(options: RemoteSeatOptions, ports: RemoteSeatPorts): Seat {
  const { tether, pid, dialect, memory } = options
  const relay = identified(options.relay, options)
  const naming = createFarNaming(relay, ports.mask)
  const died = createDeferred<SeatDeath>()
  let isDead = false
  let current: RemoteRun | undefined
  let lastCwd: SeatCwd = { path: options.cwd, deleted: false }
  let resting: Promise<void> = Promise.resolve()
  let restTimer: ReturnType<typeof setTimeout> | undefined
  let closed = false
  let isDetached = false

  async function deathOf(state: FarState): Promise<SeatDeath> {
    const written = await memory.fetch()
    const death = readDeath(state.dead, written.some(({ kind }) => kind === "exit") || memory.exitWritten !== undefined)
    isDead = true
    died.resolve(death)
    return death
  }

  async function look(): Promise<void> {
    if (current !== undefined || isDead || closed) return
    const state = await relay.state("none", pid)
    if (current === undefined && (state.dead !== undefined || !state.alive)) await deathOf(state)
  }
  // A target that is lost meanwhile tells its own end.
  watchFarShell({ ...options, isOver: () => isDead || closed, look }).catch(() => undefined)

  async function describe(
    children: readonly number[],
    token: string | undefined,
  ): Promise<readonly BackgroundProcess[]> {
    if (children.length === 0) return []
    const table = await relay.table()
    const living = children.flatMap((child) => livingOne(child, table) ?? [])
    const named = await naming.roots(living)
    if (named.length === 0) return []
    const trees = named.map((one) => [one.pid, ...descendantsOf(one.pid, table).map(({ pid: below }) => below)])
    const holding = new Set(token === undefined ? [] : await relay.holders(token, trees.flat()))
    return named.map((one, index) => ({
      ...one,
      holdsOutput: trees[index]?.some((below) => holding.has(below)) === true,
    }))
  }

  /** As the shell itself says, by `pwd -P` in its idle record (spec shells.md §5.3, §5.8). */
  async function ownCwd(): Promise<string> {
    if (current === undefined && !closed) await memory.rest()
    return memory.cwd ?? lastCwd.path
  }

  async function noteCwd(): Promise<SeatCwd> {
    if (isDead) return lastCwd
    lastCwd = await answerOr(tether, lastCwd, async () => {
      const found = await relay.cwd(pid)
      if (found === "untold") return { path: await ownCwd(), deleted: false }
      return found === undefined ? lastCwd : { path: found.path ?? lastCwd.path, deleted: found.deleted }
    })
    return lastCwd
  }

  async function watchTarget(): Promise<void> {
    while (!isDead && !closed && tether.gone === undefined) await tether.changed()
    if (isDead || tether.gone === undefined) return
    isDead = true
    died.resolve({ exitCode: null, signal: null, gone: tether.gone })
    tether.settle()
  }
  void watchTarget()

  /** Ends processes and what is below them, with a moment to end by themselves. */
  async function endTrees(roots: readonly number[], graceMs: number): ReturnType<EndBackground> {
    const living = async (): Promise<readonly FarProcess[]> => {
      const table = await relay.table()
      return roots.flatMap((root) => [
        ...table.filter((one) => one.pid === root && !one.zombie),
        ...descendantsOf(root, table),
      ])
    }
    const first = await living()
    await relay.kill("TERM", first)
    await relay.kill("CONT", first)
    const still = async (): Promise<readonly FarProcess[]> => {
      const table = await relay.table()
      return first.filter((one) => livingOne(one.pid, table)?.startTime === one.startTime)
    }
    for (const until = performance.now() + graceMs; performance.now() < until; await sleep(REST_MS)) {
      if ((await still()).length === 0) break
    }
    await relay.kill("KILL", await still())
    await sleep(REST_MS)
    const left = await still()
    return { background: await naming.roots(left), survivors: await naming.survivors(left) }
  }

  async function wake(): Promise<void> {
    const shell = await relay.row(pid)
    if (shell !== undefined) await relay.kill("CONT", [shell])
  }

  /** The `sh` that started the shell and waits for it. */
  const isParent = (one: FarProcess, table: readonly FarProcess[]): boolean =>
    table.some((shell) => shell.pid === pid && shell.parent === one.pid)

  async function endAll(
    first: readonly FarProcess[],
    members: () => Promise<readonly FarProcess[]>,
  ): Promise<readonly FarProcess[]> {
    await relay.kill(
      "KILL",
      first.filter((one) => one.pid === pid),
    )
    const until = performance.now() + END_GRACE_MS
    return endFarTree(relay, members, { first, graceEnds: () => until })
  }

  async function stop(run: RemoteRun): Promise<readonly Survivor[]> {
    const spare = (await memory.canAbort()) ? { spare: memory.spareSignal } : {}
    const older = await run.older
    const report = await climbRemoteLadder({ pid, older, isOver: run.isOver, over: run.over, ...spare }, relay)
    if (report.killed) run.noteUseless()
    return naming.survivors(report.survivors)
  }

  async function close(background: "kill" | "keep"): Promise<SeatClosed> {
    closed = true
    clearTimeout(restTimer)
    const table = await relay.table()
    // Also what is left once the shell itself is gone.
    const session = table.find((one) => one.pid === pid)?.session
    const members = (): ReturnType<typeof farMembers> =>
      farMembers(relay, { root: pid, session, marker: options.marker })
    const first = await members()
    const ours = first.filter((one) => one.pid !== pid && !isParent(one, table))
    const named = await naming.roots(ours)
    if (background === "keep") {
      await relay.kill(
        "KILL",
        table.filter((one) => one.pid === pid),
      )
      return { ended: [], kept: named, survivors: [] }
    }
    const left = await endAll(first, members)
    const alive = new Set(left.map((one) => one.pid))
    return {
      ended: named.filter((one) => !alive.has(one.pid)),
      kept: [],
      survivors: await naming.survivors(left),
    }
  }

  async function finish(background: "kill" | "keep"): Promise<SeatClosed> {
    await resting
    const done = await close(background).catch(() => NOTHING_ENDED)
    died.resolve({ exitCode: null, signal: "SIGKILL" })
    await ports.released("ended")
    return done
  }

  /** What it leaves in the background is the Job's, not ours to end. */
  function endWith(run: RemoteRun): void {
    const over = (): Promise<void> => ports.released("ended")
    void run.end.then(() => close("keep")).then(over, over)
  }

  return {
    dialect,
    link: tether,
    died: died.promise,
    cwd: noteCwd,
    run(command) {
      clearTimeout(restTimer)
      if (command.resumed === undefined) memory.noteRun()
      const wedge = createWedgeSense(relay, pid, wake)
      const run = startRemoteRun(command, {
        relay,
        tokens: ports.tokens,
        dialect,
        pid,
        describe,
        noteChildren: memory.noteChildren,
        endTrees,
        deathOf,
        before: ports.before,
        isWedged: wedge,
        note: (sent, token) => options.keeper.note(sent, { token, ...memory.traces() }),
      })
      current = run
      if (isDetached) endWith(run)
      void run.over.then(() => {
        if (current === run) current = undefined
      })
      let climbing = false
      return {
        end: run.end,
        isOver: run.isOver,
        interrupt() {
          if (climbing) return
          climbing = true
          // A target that is lost meanwhile tells its own end.
          run.noteLadder(stop(run).catch(() => []))
        },
      }
    },
    async background() {
      if (isDead) return []
      return answerOr(tether, [], async () => describe(await relay.children(pid), undefined))
    },
    rest() {
      clearTimeout(restTimer)
      restTimer = setTimeout(() => {
        if (current !== undefined || isDead || closed) return
        resting = memory.rest().catch(() => undefined)
      }, REST_MS)
    },
    detach() {
      clearTimeout(restTimer)
      options.keeper.detached()
      isDetached = true
      if (current !== undefined) endWith(current)
    },
    async close(background) {
      closed = true
      clearTimeout(restTimer)
      // A target that cannot be reached now is cleared up when it is; nobody waits for that (spec shells.md §3).
      return Promise.race([finish(background), sleep(CLOSE_MS, NOTHING_ENDED, { ref: false })])
    },
    abandon() {
      closed = true
      clearTimeout(restTimer)
      current?.abandon()
      void ports.released("left")
    },
  }
}
