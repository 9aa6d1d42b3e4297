import type { Ids } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import type { ShellTarget } from "./record.ts"

const RUN_CHARS = 4
const MAX_NAME = 40
const SSH_PORT = 22

/** Names the free shells of one server process: `<run>-<n>_…`; no id is given twice (spec shells.md §1). */
export class ShellNames {
  readonly #ids: Pick<Ids, "token">
  #run: string | undefined
  #number = 0

  constructor(ids: Pick<Ids, "token">) {
    this.#ids = ids
  }

  /** The next id, inside the transaction that inserts its row: distinct from those of every retained row. */
  async next(tx: Tx, target: ShellTarget): Promise<string> {
    this.#run ??= await this.#freeRun(tx)
    const place = placeOf(target)
    for (;;) {
      const id = `${this.#run}-${this.#number + 1}_${place}`
      if ((await tx.shells.byId(id)) === undefined) return id
      this.#number += 1
    }
  }

  /** Its row is inserted: the number is spent. */
  spend(): void {
    this.#number += 1
  }

  async #freeRun(tx: Tx): Promise<string> {
    for (;;) {
      const run = this.#ids.token().slice(0, RUN_CHARS)
      if (!(await tx.shells.hasRun(run))) return run
    }
  }
}

/** The part of an id that says where its shell runs. */
export function placeOf(target: ShellTarget): string {
  if (target.kind === "local") return "local"
  if (target.kind === "docker") return `docker_${nameOf(target.container)}`
  const port = target.port === undefined || target.port === SSH_PORT ? "" : `:${target.port}`
  return `ssh_${nameOf(target.user ?? "")}@${nameOf(target.host)}${port}`
}

/** A name as ids show it: `[A-Za-z0-9._-]`, others `_`, ≤ 40 characters, never empty. */
function nameOf(text: string): string {
  const kept = [...text].slice(0, MAX_NAME).join("")
  return kept.replaceAll(/[^A-Za-z0-9._-]/gu, "_") || "_"
}
