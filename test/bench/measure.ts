import { median } from "./stats.ts"

/** Something that is timed as a whole. */
export type Side = () => Promise<unknown> | unknown

/** How often the sides are timed. */
export interface Rounds {
  readonly rounds: number
  /** Rounds whose times are thrown away; a fifth of `rounds` unless said. */
  readonly warmup?: number
  /** How many operations one call of a side does; medians are for one. 1 unless said. */
  readonly batch?: number
}

/**
 * Medians in milliseconds of sides that take turns, A B C, C B A, …: a machine that is busy with something else is so for all of
 * them.
 */
export async function interleave<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { batch = 1, ...rounds }: Rounds,
): Promise<Record<Name, number>> {
  const timed = mapValues(sides, (name) => async () => {
    const startedAt = performance.now()
    await sides[name]()
    return (performance.now() - startedAt) / batch
  })
  return interleaveValues(timed, rounds)
}

/** The same of sides that measure themselves. */
export async function interleaveValues<Name extends string>(
  sides: Readonly<Record<Name, () => Promise<number>>>,
  { rounds, warmup = Math.ceil(rounds / 5) }: Omit<Rounds, "batch">,
): Promise<Record<Name, number>> {
  const names = namesOf(sides)
  const values = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = -warmup; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]()
      if (round >= 0) values.get(name)?.push(value)
    }
  }
  return mapValues(sides, (name) => median(values.get(name) ?? []))
}

/** Of one side in `inTurns`. */
const TURNS = 4

/**
 * Medians in milliseconds of sides each of which has the machine to itself: they take turns of many operations, A B C, C B A, …,
 * and of each turn the first ones, which meet caches and heaps that another side has left, are thrown away.
 */
export async function inTurns<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, warmup = Math.ceil(rounds / TURNS / 4) }: Omit<Rounds, "batch">,
): Promise<Record<Name, number>> {
  const names = namesOf(sides)
  const values = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let turn = 0; turn < TURNS; turn++) {
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      for (let round = -warmup; round < rounds / TURNS; round++) {
        const startedAt = performance.now()
        await sides[name]()
        if (round >= 0) values.get(name)?.push(performance.now() - startedAt)
      }
    }
  }
  return mapValues(sides, (name) => median(values.get(name) ?? []))
}

/** Operations a second with `width` of them in flight, sides taking turns of `count` operations; the median turn. */
export async function throughput<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { turns, count, width }: { readonly turns: number; readonly count: number; readonly width: number },
): Promise<Record<Name, number>> {
  const turn = (side: Side): Side => {
    return async () => {
      let left = count
      const lane = async (): Promise<void> => {
        while (left-- > 0) await side()
      }
      await Promise.all(Array.from({ length: width }, lane))
    }
  }
  const wide = mapValues(sides, (name) => turn(sides[name]))
  const times = await interleave(wide, { rounds: turns, warmup: 1 })
  return mapValues(sides, (name) => (count / times[name]) * 1000)
}

function namesOf<Name extends string>(sides: Readonly<Record<Name, unknown>>): readonly Name[] {
  const names: Name[] = []
  for (const name in sides) names.push(name)
  return names
}

function mapValues<Name extends string, From, To>(
  of: Readonly<Record<Name, From>>,
  value: (name: Name) => To,
): Record<Name, To> {
  const made: Partial<Record<Name, To>> = {}
  const has = (record: Partial<Record<Name, To>>): record is Record<Name, To> => Object.keys(record).length > 0
  for (const name of namesOf(of)) made[name] = value(name)
  if (!has(made)) throw new Error("Nothing was measured.")
  return made
}
