/** First come first served, with groups taking turns (spec exec-and-jobs.md §5.3). */
export interface TurnQueue<T> {
  readonly size: number
  add(group: string, item: T): void
  /** The item whose turn it is; its group goes to the end. */
  next(): T | undefined
  remove(item: T): boolean
  /** 1 = next. `undefined` when the item does not wait. */
  position(item: T): number | undefined
}

/** A queue in which no group can starve another one. */
export function createTurnQueue<T>(): TurnQueue<T> {
  let lanes: { readonly group: string; readonly items: readonly T[] }[] = []

  function order(): readonly T[] {
    const rounds = Math.max(0, ...lanes.map((lane) => lane.items.length))
    const result: T[] = []
    for (let round = 0; round < rounds; round += 1) {
      for (const lane of lanes) {
        const item = lane.items[round]
        if (item !== undefined) result.push(item)
      }
    }
    return result
  }

  return {
    get size() {
      return lanes.reduce((sum, lane) => sum + lane.items.length, 0)
    },
    add(group, item) {
      const lane = lanes.find((other) => other.group === group)
      if (lane === undefined) lanes.push({ group, items: [item] })
      else lanes = lanes.map((other) => (other === lane ? { group, items: [...lane.items, item] } : other))
    },
    next() {
      const [lane, ...others] = lanes
      if (lane === undefined) return undefined
      const [item, ...rest] = lane.items
      lanes = rest.length === 0 ? others : [...others, { group: lane.group, items: rest }]
      return item
    },
    remove(item) {
      const before = this.size
      lanes = lanes
        .map((lane) => ({ group: lane.group, items: lane.items.filter((other) => other !== item) }))
        .filter((lane) => lane.items.length > 0)
      return this.size < before
    },
    position(item) {
      const index = order().indexOf(item)
      return index === -1 ? undefined : index + 1
    },
  }
}
