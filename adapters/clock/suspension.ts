/** Readings of the clocks that differ while a machine sleeps, all in ms. */
export interface ClockReadings {
  /** Never goes back; may stand still while the machine sleeps. */
  readonly running: () => number
  /** Time since boot, sleep included; may be as coarse as a second. */
  readonly uptime: () => number
  readonly wall: () => number
}

/** A wall clock that moved this much more than the running one is looked into at once. */
const WALL_JUMP_MS = 500

/** Uptime is read at least this often. */
const SAMPLE_EVERY_MS = 10_000

/** Smaller growth is the coarseness of uptime, not sleep. */
const NOISE_MS = 2000

/** Adds to a running clock the time during which the machine slept. */
export class SuspensionCounter {
  readonly #read: ClockReadings
  #lead: number
  #wallLead: number
  #sampledAt: number
  #slept = 0

  constructor(read: ClockReadings) {
    this.#read = read
    this.#sampledAt = read.running()
    this.#lead = read.uptime() - this.#sampledAt
    this.#wallLead = read.wall() - this.#sampledAt
  }

  /** Milliseconds of a clock that never goes back and counts sleep. */
  now(): number {
    const running = this.#read.running()
    const wallLead = this.#read.wall() - running
    if (Math.abs(wallLead - this.#wallLead) > WALL_JUMP_MS || running - this.#sampledAt > SAMPLE_EVERY_MS) {
      this.#wallLead = wallLead
      this.#sample(running)
    }
    return running + this.#slept
  }

  #sample(running: number): void {
    const lead = this.#read.uptime() - running
    this.#sampledAt = running
    if (lead - this.#lead <= NOISE_MS) return
    this.#slept += lead - this.#lead
    this.#lead = lead
  }
}
