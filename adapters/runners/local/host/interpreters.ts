import { execFile } from "node:child_process"
import { statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { promisify } from "node:util"
import type { ScriptLanguage } from "../../../../core/jobs/command.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import { locateProgram } from "./program.ts"

/** A program that runs script files of one language. */
export interface Interpreter {
  readonly file: string
  /** Its words before the path of the file. */
  readonly options: readonly string[]
  /** What the name of a file has to end with. */
  readonly extension: string
}

/** Where a script would run. */
export interface ScriptPlace {
  /** Absolute paths: the Project root, and the working directory in it. */
  readonly root: string
  readonly cwd: string
  /** The open working directory, see `working-directory.ts`. */
  readonly directory: string
  readonly searchPath: string
}

/** Finds interpreters; what it learned about a program holds as long as its file is unchanged. */
export interface Interpreters {
  /** @throws ToolError `interpreter_unavailable`; nothing was started. */
  find(language: ScriptLanguage, place: ScriptPlace): Promise<Interpreter>
}

const EXTENSIONS: Readonly<Record<ScriptLanguage, string>> = {
  sh: "sh",
  bash: "sh",
  python: "py",
  javascript: "js",
  typescript: "ts",
  powershell: "ps1",
}
const POWERSHELL_OPTIONS = ["-NoLogo", "-NoProfile", "-NonInteractive", "-File"]
const DENO_OPTIONS = ["run", "--quiet", "--allow-all", "--no-lock"]
const ASK_MS = 5000

/** One for a host. */
export function createInterpreters(): Interpreters {
  const asked = new Map<string, Promise<boolean>>()

  /** Whether this `node` takes the types out of TypeScript by itself; asked once a version of the file. */
  function stripsTypes(file: string): Promise<boolean> {
    const { mtimeMs, size } = statSync(file)
    const key = `${file}\0${mtimeMs}\0${size}`
    const known = asked.get(key)
    if (known !== undefined) return known
    const answer = askNode(file)
    asked.set(key, answer)
    return answer
  }

  async function programOf(
    language: ScriptLanguage,
    place: ScriptPlace,
  ): Promise<Omit<Interpreter, "extension"> | undefined> {
    const named = (name: string, options: readonly string[] = []) => {
      const found = locateProgram(name, place)
      return found.found ? { file: found.file, options } : undefined
    }
    const deno = () => named("deno", DENO_OPTIONS)
    switch (language) {
      case "sh":
      case "bash":
        return named(language)
      case "python":
        return virtualEnvironment(place) ?? named("python3")
      case "javascript":
        return named("node") ?? deno()
      case "typescript": {
        const node = named("node")
        return node !== undefined && (await stripsTypes(absolute(node.file, place))) ? node : deno()
      }
      case "powershell":
        return named("pwsh", POWERSHELL_OPTIONS)
    }
  }

  return {
    async find(language, place) {
      const program = await programOf(language, place)
      if (program !== undefined) return { ...program, extension: EXTENSIONS[language] }
      throw new ToolError(
        "interpreter_unavailable",
        `No interpreter for ${language} is installed here. Use another language.`,
        { details: { language }, executionState: "not_started" },
      )
    },
  }
}

const absolute = (file: string, { directory }: ScriptPlace): string =>
  file.startsWith("/") ? file : `${directory}/${file}`

/** The Python of the nearest `.venv` or `venv` from the working directory up to the Project root. */
function virtualEnvironment({ root, cwd }: ScriptPlace): Omit<Interpreter, "extension"> | undefined {
  for (const folder of foldersUp(root, cwd)) {
    for (const name of [".venv", "venv"]) {
      const found = locateProgram(join(folder, name, "bin", "python"), { directory: folder, searchPath: "" })
      if (found.found) return { file: found.file, options: [] }
    }
  }
  return undefined
}

function foldersUp(root: string, cwd: string): readonly string[] {
  const parts = relative(root, cwd)
    .split(sep)
    .filter((part) => part !== "" && part !== ".")
  return Array.from({ length: parts.length + 1 }, (_, up) => join(root, ...parts.slice(0, parts.length - up)))
}

async function askNode(file: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(file, ["-p", "process.features.typescript"], {
      env: {},
      timeout: ASK_MS,
    })
    return ["strip", "transform"].includes(stdout.trim())
  } catch {
    return false
  }
}
