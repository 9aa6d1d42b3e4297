import type { ShellRunFacts } from "../../../../core/jobs/runner.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"

const MAX_SHOWN = 8

/** A command that has ended and whose children may still write. */
export interface EndedCommand {
  readonly spec: { readonly jobId: JobId }
  lateBytes(): number
  readonly quiet: Promise<void>
}

/** What older commands of one shell wrote since somebody was told (spec shells.md §4.1). */
export interface LateOutput {
  watch(command: EndedCommand): void
  /** What came since the last call, ≤ 8 Jobs. */
  take(): ShellRunFacts["lateOutput"]
}

/** Counts; the bytes themselves are in the Jobs. */
export function createLateOutput(): LateOutput {
  const told = new Map<EndedCommand, number>()
  const silent = new Set<EndedCommand>()

  return {
    watch(command) {
      told.set(command, 0)
      void command.quiet.then(() => {
        if (told.has(command)) silent.add(command)
      })
    },
    take() {
      const news: { jobId: JobId; bytes: number }[] = []
      for (const [command, before] of told) {
        const bytes = command.lateBytes() - before
        if (bytes > 0 && news.length < MAX_SHOWN) {
          news.push({ jobId: command.spec.jobId, bytes })
          told.set(command, command.lateBytes())
        }
        if (silent.has(command) && told.get(command) === command.lateBytes()) {
          told.delete(command)
          silent.delete(command)
        }
      }
      return news
    },
  }
}
