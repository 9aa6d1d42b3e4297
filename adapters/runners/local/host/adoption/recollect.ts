import type { StartSpec } from "../../../../../core/jobs/runner.ts"
import { learnedLiterals, secretVariables } from "../../../../../core/kernel/redaction/learned.ts"
import type { ProcessTable } from "../process-table.ts"

/** What the memory of a dead host had of a command, read from its process as far as that still tells. */
export interface Recollection {
  /** Its words, not masked. */
  readonly text: string
  readonly secrets: StartSpec["secrets"]
}

/**
 * A host keeps literals to mask in memory alone; those that came with the command stand in the words and the environment of
 * its process, and are learned from there again (spec shells.md §4.3).
 */
export function recollect(processes: ProcessTable, pid: number | undefined): Recollection {
  if (pid === undefined) return { text: "", secrets: [] }
  const words = processes.argumentsOf(pid)
  const shellText = words[1] === "-c" && words[2] === "--" ? words.slice(3) : undefined
  const text = (shellText ?? words).join(" ")
  const variables = processes.environmentOf(pid).map(variableOf)
  return { text, secrets: [...learnedLiterals(text), ...secretVariables(variables)] }
}

function variableOf(entry: string): StartSpec["secrets"][number] {
  const at = entry.indexOf("=")
  return { name: entry.slice(0, Math.max(0, at)), value: entry.slice(at + 1) }
}
