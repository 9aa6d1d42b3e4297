import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createSystemClock } from "../../../adapters/clock/index.ts"
import type { Confinement } from "../../../adapters/runners/local/files/directory.ts"
import { createProjectFs } from "../../../adapters/runners/local/files/project-fs.ts"
import { openStore } from "../../../adapters/storage/index.ts"
import { applyTextEdits } from "../../../core/files/edits/apply.ts"
import { type EditOutput, editInputSchema, editOutputSchema } from "../../../core/files/edits/schema.ts"
import type { FileCall } from "../../../core/files/project-tree.ts"
import { readFiles } from "../../../core/files/read-files.ts"
import { readInputSchema, readOutputSchema } from "../../../core/files/read-schema.ts"
import { isToolError, type ToolError } from "../../../core/kernel/error.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import type { Project } from "../../../core/projects/record.ts"

/** How a test project differs from the plain one. */
export interface ProjectOptions {
  readonly confinement?: Confinement
  readonly budgetChars?: number
  readonly guard?: (path: string, access: "read" | "write") => boolean
  readonly filePolicy?: Project["filePolicy"]
}

type Outcome<T> =
  | { readonly output: T; readonly error?: never }
  | { readonly error: ToolError; readonly output?: never }

/** Waits for a call's output or its ToolError. */
export async function outcomeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { output: await work }
  } catch (error) {
    if (isToolError(error)) return { error }
    throw error
  }
}

/** A Project in a temporary directory, with its real files, store, clock and both tools. */
export async function openProject(options: ProjectOptions = {}) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "hf-files-")))
  const root = join(home, "safe")
  mkdirSync(root)
  const dataDir = join(home, "data")
  const store = await openStore({ dataDir })
  const clock = createSystemClock()
  const ids = createIds()
  const fs = createProjectFs({
    dataDir,
    clock,
    ids,
    callIsOpen: (callId) => store.read((tx) => tx.openCalls.exists(callId)),
    ...(options.confinement === undefined ? {} : { confinement: options.confinement }),
  })
  const project: Project = {
    pk: ids.projectPk(),
    slug: "p",
    clientId: "local",
    root,
    kind: "registered",
    gitAboveRoot: false,
    revision: 1,
    createdAt: 0,
    updatedAt: 0,
    ...(options.filePolicy === undefined ? {} : { filePolicy: options.filePolicy }),
  }
  const call = (): FileCall => ({
    callId: ids.call(),
    invocationId: ids.invocation(),
    requireProject: () => project,
    deadline: { at: Infinity, handoverAt: Infinity, remaining: () => Infinity },
    signal: new AbortController().signal,
    budget: { chars: options.budgetChars ?? 4_000_000 },
    pathGuard: options.guard,
    ports: { store, clock, secrets: createSecretRegistry() },
    runner: () => ({ fs }),
  })
  const path = (name: string): string => join(root, name)
  return {
    home,
    root,
    dataDir,
    fs,
    tree: { project: "p", root, treePk: project.pk },
    path,
    write(name: string, content: string | Uint8Array) {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), content)
    },
    bytes: (name: string): Buffer => readFileSync(path(name)),
    text: (name: string): string => readFileSync(path(name), "utf8"),
    /** Bytes, inode and mtime: what "untouched" compares. */
    trace(name: string) {
      const { ino, mtimeNs } = lstatSync(path(name), { bigint: true })
      return { ino, mtimeNs, bytes: readFileSync(path(name), "hex") }
    },
    read: (items: object[], rest: object = {}) =>
      outcomeOf(
        readFiles(readInputSchema.parse({ project: "p", items, ...rest }), call()).then(readOutputSchema.parse),
      ),
    apply: (changes: object[], rest: object = {}): Promise<Outcome<EditOutput>> =>
      outcomeOf(
        applyTextEdits(editInputSchema.parse({ project: "p", changes, ...rest }), call()).then(editOutputSchema.parse),
      ),
    async close() {
      fs.close()
      await store.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A test project. */
export type TestProject = Awaited<ReturnType<typeof openProject>>

/** An `edit` change of one exact replacement. */
export const edit = (path: string, old_text: string, new_text: string, rest: object = {}) => ({
  kind: "edit",
  path,
  edits: [{ kind: "replace_exact", old_text, new_text }],
  ...rest,
})
