import { closeSync, fstatSync } from "node:fs"
import { pid } from "node:process"
import type {
  DirectoryEntry,
  FileRead,
  FreeName,
  OpenPlace,
  ReadOptions,
  Resolved,
  RootHandle,
} from "../../../../core/files/fs.ts"
import { type ProjectPath, pathOf } from "../../../../core/files/paths.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { PathAccess, Target } from "./access.ts"
import { openRegular, readBytes } from "./bytes.ts"
import { type Directory, isSameObject } from "./directory.ts"
import { pathChanged } from "./errno.ts"
import { listDirectory } from "./listing.ts"
import { identityOf, kindOf } from "./stamp.ts"

const WRITE_BITS = 0o222n
const EXECUTE_BITS = 0o111n

/** The port's view of an open root. Every directory that an operation opens is closed when it settles. */
export class LocalRoot implements RootHandle {
  private readonly access: PathAccess

  constructor(access: PathAccess) {
    this.access = access
  }

  get cwd(): string {
    return this.access.directories.self(this.access.root)
  }

  async resolve(path: ProjectPath, access: "read" | "write" = "read"): Promise<Resolved> {
    return this.using(this.access.find(path, access), (target) => resolvedOf(path, target))
  }

  async list(path: ProjectPath): Promise<readonly DirectoryEntry[]> {
    return this.using(this.access.find(path, "read"), (target) => {
      const directory = this.openTarget(target)
      try {
        const entries = listDirectory(this.access.directories, directory)
        return entries.filter(({ name, addressable }) => !addressable || this.isListed(directory, name))
      } finally {
        if (!("directory" in target.at)) this.access.directories.close(directory)
      }
    })
  }

  async read<T>(path: ProjectPath, options: ReadOptions<T>): Promise<FileRead<T>> {
    const intent = options.forWrite === true ? "write" : "read"
    return this.using(this.access.find(path, intent), async (target) => {
      if ("directory" in target.at) throw notRegular()
      const { parent, name, stat } = target.at
      if (intent === "write" && stat.isFile() && (stat.mode & WRITE_BITS) === 0n) throw readOnly()
      const location = this.access.directories.child(parent, name)
      const bytes = await readBytes(() => openRegular(location, stat), options)
      if (this.access.directories.confinement === "checked") this.access.directories.requireInPlace(parent)
      return { ...bytes, resolved: { ...resolvedOf(path, target), sizeBytes: bytes.stamp.sizeBytes } }
    })
  }

  within<T>(path: ProjectPath, use: (place: OpenPlace) => Promise<T>): Promise<T> {
    return this.using(this.access.find(path, "read"), (target) => {
      const resolved = resolvedOf(path, target)
      return resolved.kind === "directory"
        ? this.withinDirectory(target, (cwd) => use({ resolved, cwd, argument: "." }))
        : this.withinFile(target, (cwd, argument) => use({ resolved, cwd, argument }))
    })
  }

  private async withinDirectory<T>(target: Target, use: (cwd: string) => Promise<T>): Promise<T> {
    const directory = this.openTarget(target)
    try {
      if ("stat" in target.at && !isSameObject(target.at.stat, fstatSync(directory.fd, { bigint: true }))) {
        throw pathChanged()
      }
      return await use(this.access.directories.self(directory))
    } finally {
      if (!("directory" in target.at)) this.access.directories.close(directory)
    }
  }

  private async withinFile<T>(target: Target, use: (cwd: string, argument: string) => Promise<T>): Promise<T> {
    if ("directory" in target.at) throw notRegular()
    const { parent, name, stat } = target.at
    const fd = openRegular(this.access.directories.child(parent, name), stat)
    try {
      const cwd = this.access.directories.self(parent)
      return await use(cwd, this.access.directories.confinement === "anchored" ? `/proc/${pid}/fd/${fd}` : `./${name}`)
    } finally {
      closeSync(fd)
    }
  }

  async freeName(path: ProjectPath): Promise<FreeName> {
    const { resolvedPath, parent, caseTwin } = this.access.vacancy(path)
    this.release(parent)
    return { path, resolvedPath, ...(caseTwin === undefined ? {} : { caseTwin }) }
  }

  private isListed(directory: Directory, name: string): boolean {
    return this.access.isVisible(pathOf([...directory.components, name]))
  }

  private openTarget({ at }: Target): Directory {
    if ("directory" in at) return at.directory
    if (at.stat.isDirectory()) return this.access.directories.openChild(at.parent, at.name)
    throw new ToolError("not_directory", "The path is not a directory; read it, or list the directory above it.")
  }

  private async using<T>(target: Target, work: (target: Target) => T | Promise<T>): Promise<T> {
    try {
      return await work(target)
    } finally {
      this.release("directory" in target.at ? target.at.directory : target.at.parent)
    }
  }

  private release(directory: Directory): void {
    if (directory !== this.access.root) this.access.directories.close(directory)
  }
}

function resolvedOf(path: ProjectPath, { resolvedPath, at }: Target): Resolved {
  const stat = "directory" in at ? fstatSync(at.directory.fd, { bigint: true }) : at.stat
  const kind = kindOf(stat)
  return {
    path,
    resolvedPath,
    kind: kind === "symlink" ? "other" : kind,
    identity: identityOf(stat),
    sizeBytes: Number(stat.size),
    executable: stat.isFile() && (stat.mode & EXECUTE_BITS) !== 0n,
  }
}

const notRegular = (): ToolError =>
  new ToolError("not_regular_file", "The path is a directory, not a regular file; list it instead.", {
    details: { type: "directory" },
  })

const readOnly = (): ToolError =>
  new ToolError("file_access_denied", "The file's mode allows nobody to write it; change its mode in a shell first.", {
    details: { reason: "read_only_mode" },
  })
