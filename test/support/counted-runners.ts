import type { Runner, RunnerDirectory } from "../../core/runners/runner.ts"

/** A directory of one Runner that counts how often a port of it was called, so that a test can prove "nothing ran". */
export interface CountedRunners extends RunnerDirectory {
  /** Calls of files, search, git and Jobs; looking at a root is not one. */
  readonly effects: () => number
}

/** Counts calls of everything but `roots`. */
export function countRunner(runner: Runner): CountedRunners {
  let count = 0
  const counted = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member)
        if (typeof value !== "function") return value
        return (...args: unknown[]) => {
          count += 1
          return Reflect.apply(value, target, args)
        }
      },
    })
  const watched: Runner = {
    clientId: runner.clientId,
    confinement: runner.confinement,
    roots: runner.roots,
    fs: counted(runner.fs),
    search: counted(runner.search),
    git: counted(runner.git),
    jobs: counted(runner.jobs),
    shells: counted(runner.shells),
  }
  return {
    effects: () => count,
    get: (clientId) => (clientId === runner.clientId ? watched : undefined),
    ids: () => [runner.clientId],
  }
}
