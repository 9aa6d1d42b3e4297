import type { ServerProcess } from "../support/server-process.ts"
import { type Held, heldBy, hostOf, zombiesOf } from "./processes.ts"

/** Ready pipes and the like: what may differ between two moments of rest, however much ran between them. */
const SPARE_DESCRIPTORS = 24

/** What a server and its Runner host hold at one moment. */
export interface Sample {
  readonly server: Held
  readonly host: Held
  readonly zombies: number
}

/** Looks at both. */
export function sample({ child, place }: Pick<ServerProcess, "child" | "place">): Sample {
  const pids = { server: child.pid ?? 0, host: hostOf(place.dataDir) }
  return { server: heldBy(pids.server), host: heldBy(pids.host), zombies: zombiesOf(Object.values(pids)) }
}

/** One line for people. */
export function textOf({ server, host, zombies }: Sample): string {
  return `server ${heldText(server)}, host ${heldText(host)}, ${zombies} zombies`
}

const heldText = ({ descriptors, rssMb }: Held): string => `${descriptors} descriptors ${rssMb} MB`

/** What is not as it was, between two moments at which nothing ran. */
export function growth(first: Sample, last: Sample): readonly string[] {
  const grown = (["server", "host"] as const).flatMap((name) => {
    const [before, after] = [first[name].descriptors, last[name].descriptors]
    return after > before + SPARE_DESCRIPTORS ? [`The ${name} holds ${after} descriptors, ${before} at first.`] : []
  })
  return last.zombies === 0 ? grown : [...grown, `${last.zombies} zombies are left.`]
}
