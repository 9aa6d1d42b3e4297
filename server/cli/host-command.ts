import type { HostCommand } from "../../adapters/runners/local/index.ts"
import type { Terminal } from "./terminal.ts"

/** Small: a host holds pipes and pages of output, and forks (spec shells.md §2.1). MiB. */
const HEAP = "--max-old-space-size=128"
const YOUNG = "--max-semi-space-size=2"

/** What runs `holdfast runner` as this very installation, under the same runtime. */
export function hostCommand([program, ...args]: Terminal["launch"]): HostCommand {
  if (args[0] === "run") return [program, "run", `--v8-flags=${HEAP},${YOUNG}`, ...args.slice(1), "runner"]
  return [program, HEAP, YOUNG, ...args, "runner"]
}
