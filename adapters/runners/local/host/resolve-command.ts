import { join } from "node:path"
import type { StartSpec } from "../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { Interpreters } from "./interpreters.ts"
import { locateProgram } from "./program.ts"
import type { WorkingDirectory } from "./working-directory.ts"

const SHOWN_CHARS = 100

/** What a command comes to on this machine; nothing of it exists yet. */
export interface ResolvedCommand {
  readonly file: string
  /** `scriptPath`: where the script's text was put, for a command that has one. */
  args(scriptPath: string): readonly string[]
  /** The shell that runs shell text. */
  readonly shell?: "sh" | "bash"
  /** What has to be put into a file first. */
  readonly script?: { readonly text: string; readonly extension: string }
}

/** What resolution depends on. */
export interface CommandPlace {
  /** Absolute real path of the Project root. */
  readonly root: string
  readonly directory: Pick<WorkingDirectory, "path" | "relativePath">
  /** `PATH` as the child will have it. */
  readonly searchPath: string
  /** Absolute paths of the shells that exist here. */
  readonly shells: Readonly<Partial<Record<"sh" | "bash", string>>>
  readonly interpreters: Interpreters
}

/**
 * Finds the program of a command before any process exists (spec exec-and-jobs.md §2). Throws `capability_unavailable`,
 * `executable_not_found`, `not_executable`, `interpreter_unavailable`.
 */
export async function resolveCommand(command: StartSpec["command"], place: CommandPlace): Promise<ResolvedCommand> {
  switch (command.kind) {
    case "shell":
      return shellCommand(command, place)
    case "process":
      return { file: programOf(command.executable, place), args: () => command.args }
    case "script": {
      const { root, directory, searchPath } = place
      const cwd = join(root, directory.relativePath)
      const at = { root, cwd, directory: directory.path, searchPath }
      const { file, options, extension } = await place.interpreters.find(command.language, at)
      return {
        file,
        args: (scriptPath) => [...options, scriptPath, ...command.args],
        script: { text: command.text, extension },
      }
    }
  }
}

/** Bash where present (spec exec-and-jobs.md §2); the text is one argv element. */
function shellCommand(
  command: Extract<StartSpec["command"], { readonly kind: "shell" }>,
  { shells }: CommandPlace,
): ResolvedCommand {
  const shell = command.shell ?? (shells.bash === undefined ? "sh" : "bash")
  const file = shells[shell]
  if (file !== undefined) return { file, args: () => ["-c", "--", command.text], shell }
  throw new ToolError("capability_unavailable", `No ${shell} is installed here. Name the other shell.`, {
    details: { reason: "shell_missing" },
    executionState: "not_started",
  })
}

function programOf(executable: string, { directory, searchPath }: CommandPlace): string {
  const found = locateProgram(executable, { directory: directory.path, searchPath })
  if (found.found) return found.file
  throw found.reason === "missing" ? executableNotFound(executable) : notExecutable(executable)
}

/** No program of that name is there. */
export function executableNotFound(executable: string): ToolError<"executable_not_found"> {
  const where = executable.includes("/") ? "at that path, counted from cwd" : "in the PATH of the child"
  return new ToolError(
    "executable_not_found",
    `There is no program ${shown(executable)} ${where}. Correct the name, or give its path.`,
    { executionState: "not_started" },
  )
}

/** Something of that name is there and cannot be run. */
export function notExecutable(executable: string): ToolError<"not_executable"> {
  return new ToolError(
    "not_executable",
    `${shown(executable)} exists and is no program that may be run. Set its execute permission, or run it with its interpreter.`,
    { executionState: "not_started" },
  )
}

const shown = (name: string): string =>
  JSON.stringify(name.length > SHOWN_CHARS ? `${name.slice(0, SHOWN_CHARS)}…` : name)
