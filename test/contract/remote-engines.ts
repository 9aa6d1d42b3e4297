import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"

/** A container engine with one image: busybox, no bash, a read-only root with a tmpfs at /tmp. */
export interface TestEngine {
  /** Said in the title of a test. */
  readonly title: string
  readonly name: "docker" | "podman"
  /** Stands first in the search path of the host. */
  readonly bin: string
  start(container: string): void
  restart(container: string): void
  stop(container: string): void
  remove(container: string): void
  /** Command lines of the processes inside. */
  processes(container: string): string
  close(): void
}

const BUSYBOX = "/bin/busybox"
const RECORDED = "the recorded contract of the docker CLI, exec runs here"

/** The engines that this machine can run: always the recorded contract, and podman where it really starts a container. */
export function engines(): readonly TestEngine[] {
  const real = realPodman()
  return real === undefined ? [recordedDocker()] : [recordedDocker(), real]
}

/** Real podman with its storage in a directory of its own; `undefined` where it cannot run a container. */
function realPodman(): TestEngine | undefined {
  if (!existsSync("/usr/bin/podman") || !existsSync(BUSYBOX) || process.getuid?.() !== 0) return undefined
  const home = mkdtempSync("/tmp/hf-podman-")
  const bin = join(home, "bin")
  const root = join(home, "root/bin")
  mkdirSync(bin)
  mkdirSync(root, { recursive: true })
  const options = ["--root", join(home, "s"), "--runroot", join(home, "r"), "--storage-driver", "vfs"]
  const runtime = existsSync("/usr/sbin/runc") ? ["--runtime", "/usr/sbin/runc"] : []
  const all = [...options, "--cgroup-manager", "cgroupfs", ...runtime]
  writeFileSync(join(bin, "podman"), `#!/bin/sh\nexec /usr/bin/podman ${all.join(" ")} "$@"\n`)
  chmodSync(join(bin, "podman"), 0o755)
  copyFileSync(BUSYBOX, join(root, "busybox"))
  for (const name of execFileSync(BUSYBOX, ["--list"], { encoding: "utf8" }).split("\n")) {
    if (name !== "" && name !== "busybox") symlinkSync("busybox", join(root, name))
  }
  for (const name of ["tmp", "proc", "dev", "etc", "sys", "run"]) mkdirSync(join(home, "root", name))
  execFileSync("tar", ["-C", join(home, "root"), "-cf", join(home, "image.tar"), "."])
  const podman = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(join(bin, "podman"), [...args], { encoding: "utf8", timeout: 60_000 })
    if (status !== 0) throw new Error(`podman ${args[0]}: ${stderr}`)
    return stdout
  }
  const close = (): void => {
    spawnSync(join(bin, "podman"), ["rm", "-af", "-t", "0"], { timeout: 60_000 })
    rmSync(home, { recursive: true, force: true })
  }
  const engine: TestEngine = {
    title: "real podman",
    name: "podman",
    bin,
    start(container) {
      const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"]
      const place = ["--network", "none", "--read-only", "--tmpfs", "/tmp"]
      podman("run", "-d", "--name", container, ...limits, ...place, "hfbox", "/bin/sleep", "100000")
    },
    restart: (container) => void podman("restart", "-t", "0", container),
    stop: (container) => void podman("stop", "-t", "0", container),
    remove: (container) => void podman("rm", "-f", "-t", "0", container),
    processes: (container) => podman("exec", container, "ps", "-o", "args"),
    close,
  }
  try {
    podman("import", join(home, "image.tar"), "hfbox")
    engine.start("probe")
    engine.remove("probe")
    return engine
  } catch {
    close()
    return undefined
  }
}

/**
 * An executable that answers as docker 28 was recorded to: `ps -q`, `inspect`, `exec -i`. A container is a file with its id, state and
 * start; its processes run on this machine and carry its name.
 */
function recordedDocker(): TestEngine {
  const home = mkdtempSync("/tmp/hf-docker-")
  const bin = join(home, "bin")
  const inside = join(home, "inside")
  mkdirSync(bin)
  mkdirSync(inside)
  const programs = [
    "sh",
    "mkfifo",
    "cat",
    "rm",
    "mkdir",
    "sleep",
    "tail",
    "dd",
    "grep",
    "setsid",
    "seq",
    "ls",
    "env",
    "wc",
  ]
  for (const name of programs) {
    const path = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim()
    symlinkSync(path, join(inside, name))
  }
  const script = `#!/bin/sh
state() { sed -n "$2p" "${home}/$1.state" 2>/dev/null; }
case $1 in
ps) exit 0;;
inspect)
  for name in "$@"; do :; done
  [ -e "${home}/$name.state" ] || { echo "Error: No such container: $name" >&2; exit 1; }
  echo "$(state "$name" 1)|$(state "$name" 2)|$(state "$name" 3)";;
exec)
  for file in ${home}/*.state; do
    [ "$(sed -n 1p "$file")" = "$3" ] || continue
    [ "$(sed -n 2p "$file")" = running ] || { echo "Error response from daemon: container $3 is not running" >&2; exit 1; }
    name=\${file##*/}
    exec env -i PATH=${inside} HOME=/tmp HF_CONTAINER="\${name%.state}" setsid -w "$4"
  done
  echo "Error response from daemon: No such container: $3" >&2
  exit 1;;
*) echo "unknown command $1" >&2; exit 125;;
esac
`
  writeFileSync(join(bin, "docker"), script)
  chmodSync(join(bin, "docker"), 0o755)
  const stateFile = (container: string): string => join(home, `${container}.state`)
  let starts = 0
  const write = (container: string, id: string, status: string): void => {
    starts += 1
    const at = `2026-01-01T00:00:${String(starts).padStart(2, "0")}.000000000Z`
    writeFileSync(stateFile(container), `${id}\n${status}\n${at}\n`)
  }
  const idOf = (container: string): string => readFileSync(stateFile(container), "utf8").split("\n")[0] ?? ""
  const pids = (container: string): readonly string[] => {
    const found = spawnSync("grep", ["-ls", `HF_CONTAINER=${container}`, ...environFiles()], { encoding: "utf8" })
    return found.stdout.split("\n").flatMap((path) => path.match(/\d+/) ?? [])
  }
  const killAll = (container: string): void => {
    for (const pid of pids(container)) spawnSync("kill", ["-9", pid])
  }
  return {
    title: RECORDED,
    name: "docker",
    bin,
    start: (container) => write(container, `${container}${"0".repeat(40)}`, "running"),
    restart(container) {
      killAll(container)
      write(container, idOf(container), "running")
    },
    stop(container) {
      killAll(container)
      write(container, idOf(container), "exited")
    },
    remove(container) {
      killAll(container)
      rmSync(stateFile(container), { force: true })
    },
    processes: (container) =>
      pids(container)
        .map((pid) =>
          (existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : "").replaceAll("\0", " "),
        )
        .join("\n"),
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

function environFiles(): readonly string[] {
  const listed = execFileSync("sh", ["-c", "echo /proc/[0-9]*/environ"], { encoding: "utf8" })
  return listed.trim().split(" ")
}
