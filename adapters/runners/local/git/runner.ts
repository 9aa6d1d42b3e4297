import { ToolError } from "../../../../core/kernel/error.ts"
import type { ChildEnd } from "./child.ts"
import { runChild } from "./child.ts"
import type { ConfigOverride, GitLocation } from "./environment.ts"
import { gitEnvironment, inheritedEnvironment } from "./environment.ts"

/** Where one git process runs. */
export interface GitPlace {
  readonly cwd: string
  readonly location: GitLocation
  readonly overrides: readonly ConfigOverride[]
}

/** Time left and what ends a run early. */
export interface GitLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** A finished run whose output was kept whole. */
export interface GitText {
  readonly text: string
  readonly exitCode: number | null
  readonly stderrTail: string
  /** The output was longer than 8 MiB and is cut there. */
  readonly cut: boolean
}

const OUTPUT_BYTES = 8 * 1024 * 1024
const OLDEST: readonly [number, number] = [2, 34]

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

/** Starts git under the rules of files-and-git.md §5.1: hardened environment, no shell, capped output, own process group. */
export class GitRunner {
  readonly #binary: string
  readonly #inherited: Readonly<Record<string, string>>
  #version: Promise<void> | undefined

  constructor(binary: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#binary = binary
    this.#inherited = inheritedEnvironment(environment)
  }

  /** Asks git, without GIT_DIR so that it checks ownership, where the repository of `cwd` is. */
  async locate(cwd: string, ceiling: string, limits: GitLimits): Promise<GitText> {
    await this.#checkVersion(cwd, limits)
    const env = gitEnvironment(this.#inherited, { ceiling }, [])
    return this.#collect(cwd, env, ["rev-parse", "--absolute-git-dir", "--git-common-dir"], limits)
  }

  /**
   * Runs git and keeps its output.
   * @throws ToolError `git_failed` when git exits with another code than 0, or when time is up.
   */
  async text(place: GitPlace, args: readonly string[], limits: GitLimits): Promise<GitText> {
    const result = await this.attempt(place, args, limits)
    if (result.exitCode !== 0 && !result.cut) throw failed(result)
    return result
  }

  /** As `text`, but any exit code is an answer. */
  attempt(place: GitPlace, args: readonly string[], limits: GitLimits): Promise<GitText> {
    return this.#collect(place.cwd, gitEnvironment(this.#inherited, place.location, place.overrides), args, limits)
  }

  /** Runs git and hands its output on as it comes, until `onOutput` has enough. @throws as `text`. */
  async stream(
    place: GitPlace,
    args: readonly string[],
    limits: GitLimits & { onOutput(chunk: Uint8Array): boolean },
  ): Promise<void> {
    const env = gitEnvironment(this.#inherited, place.location, place.overrides)
    const end = await this.#run({ cwd: place.cwd, env, args }, limits)
    if (end.stopped === "no" && end.exitCode !== 0) throw failed(end)
  }

  async #collect(
    cwd: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[],
    limits: GitLimits,
  ): Promise<GitText> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    const onOutput = (chunk: Uint8Array): boolean => {
      chunks.push(chunk.subarray(0, OUTPUT_BYTES - bytes))
      bytes += chunk.length
      return bytes <= OUTPUT_BYTES
    }
    const end = await this.#run({ cwd, env, args }, { ...limits, onOutput })
    return {
      text: Buffer.concat(chunks).toString("utf8"),
      exitCode: end.exitCode,
      stderrTail: end.stderrTail,
      cut: end.stopped === "reader",
    }
  }

  async #run(
    what: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly args: readonly string[] },
    limits: GitLimits & { onOutput(chunk: Uint8Array): boolean },
  ): Promise<ChildEnd> {
    try {
      const end = await runChild({ binary: this.#binary, ...what, ...limits })
      if (end.stopped === "timeout") throw timedOut(end)
      return end
    } catch (error) {
      if (!isMissing(error)) throw error
      throw new ToolError("git_unavailable", "git was not found on the Runner's PATH; install git 2.34 or newer.", {
        cause: error,
      })
    }
  }

  #checkVersion(cwd: string, limits: GitLimits): Promise<void> {
    this.#version ??= this.#readVersion(cwd, limits).catch((error: unknown) => {
      this.#version = undefined
      throw error
    })
    return this.#version
  }

  async #readVersion(cwd: string, limits: GitLimits): Promise<void> {
    const { text } = await this.#collect(cwd, { ...this.#inherited }, ["version"], limits)
    const [major = 0, minor = 0] = (/\d+(?:\.\d+)+/.exec(text)?.[0] ?? "").split(".").map(Number)
    if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
    throw new ToolError("git_too_old", "The git of the Runner is older than 2.34; install a newer one.", {
      details: { version: `${major}.${minor}` },
    })
  }
}

const failed = (end: { readonly exitCode: number | null; readonly stderrTail: string }): ToolError =>
  new ToolError("git_failed", "git ended with an error; see stderr_tail, and read the repository state again.", {
    details: { exit_code: end.exitCode, stderr_tail: end.stderrTail },
  })

const timedOut = (end: ChildEnd): ToolError =>
  new ToolError("git_failed", "git did not answer in time and was stopped; narrow the paths, or try again later.", {
    executionState: "timed_out",
    details: { exit_code: null, stderr_tail: end.stderrTail },
  })
