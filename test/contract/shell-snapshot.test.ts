import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { shellWord } from "../../adapters/runners/local/shells/quote.ts"
import { sectionNames } from "../../adapters/runners/local/shells/snapshot/record-sections.ts"
import { restartReason } from "../../adapters/runners/local/shells/snapshot/restart-reason.ts"
import { restoreText } from "../../adapters/runners/local/shells/snapshot/restore-text.ts"
import { loadSnapshot, storeSnapshot } from "../../adapters/runners/local/shells/snapshot/snapshot-file.ts"
import { createSnapshotReader } from "../../adapters/runners/local/shells/snapshot/snapshot-reader.ts"
import type { Snapshot, Written } from "../../adapters/runners/local/shells/snapshot/types.ts"
import { type FifoShell, type FifoShellOptions, openFifoShell } from "../support/fifo-shell.ts"

const opened: FifoShell[] = []

async function open(options: FifoShellOptions = {}): Promise<FifoShell> {
  const shell = await openFifoShell(options)
  opened.push(shell)
  return shell
}

const scratches: string[] = []

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "hf-scratch-"))
  scratches.push(directory)
  return directory
}

afterEach(async () => {
  for (const directory of scratches.splice(0)) rmSync(directory, { recursive: true, force: true })
  for (const shell of opened.splice(0)) await shell.close()
})

/** Runs a text, takes the idle snapshot, and gives a new shell that was restored from it. */
async function reborn(
  text: string,
  options: FifoShellOptions = {},
): Promise<{ shell: FifoShell; failed: readonly string[] }> {
  const first = await open(options)
  expect(await first.run(text)).toMatchObject({ status: 0 })
  const record = await first.idle()
  if (record === undefined) throw new Error(`no record came: ${first.diagnostics()}`)
  return next(record.snapshot, options)
}

async function next(
  snapshot: Snapshot,
  options: FifoShellOptions = {},
): Promise<{ shell: FifoShell; failed: readonly string[] }> {
  const shell = await open(options)
  return { shell, failed: await shell.restore(snapshot) }
}

const HOSTILE: readonly string[] = [
  "set -u",
  "set -e",
  "set -eu",
  "set -C",
  "set -k",
  "set -n",
  "set -f",
  "set -x",
  "set -v",
  "set -a",
  "set -b",
  "set -h",
  "set -m",
  "set -p",
  "set -B",
  "set -E",
  "set -T",
  "set -P",
  "set -o posix",
  "set -o posix; set -eu",
  "set -o pipefail",
  "set -o history; set -H",
  "set -o ignoreeof",
  "set -o vi",
  "set -o emacs",
  "IFS=/",
  "IFS=",
  "unset IFS",
  "unset PATH",
  "PATH=/nonexistent",
  "alias echo=false",
  "alias declare=false builtin=false trap=false set=false unset=false test=false",
  "alias '!'=false",
  "echo() { :; }; printf() { :; }; test() { :; }",
  "declare() { :; }; set() { :; }; trap() { :; }; shopt() { :; }; unset() { :; }; alias() { :; }",
  "pwd() { :; }; umask() { :; }; ulimit() { :; }; enable() { :; }; local() { :; }; eval() { :; }",
  "source() { :; }",
  "readonly PS1",
  "readonly PS1 PS2 PS0 PROMPT_COMMAND; set -eu",
  "PS1='x$(echo y)'; readonly PS1",
  "PROMPT_COMMAND='echo noise'",
  "PROMPT_COMMAND=(true 'echo noise')",
  "PS0='noise'; PS1='noise $(echo more)'; PS4='$(echo trace)'; set -x",
  "readonly TMOUT=100",
  "readonly IFS",
  "readonly R=1 BASH_ENV",
  "unset BASH_COMMAND BASH_SOURCE FUNCNAME",
  "trap 'echo debug' DEBUG",
  "trap 'echo return' RETURN",
  "trap 'echo error; exit 9' ERR; true",
  "trap 'echo error; exit 9' ERR; set -E",
  "trap 'echo debug' DEBUG; trap 'echo return' RETURN; set -ET",
  "trap '' INT TERM HUP",
  "trap 'echo int' INT",
  "ulimit -f 0",
  "ulimit -c 0; ulimit -s 4096",
  "shopt -s extdebug",
  "shopt -s extglob nullglob failglob dotglob nocaseglob",
  "shopt -s lastpipe inherit_errexit xpg_echo",
  "shopt -u expand_aliases sourcepath interactive_comments",
  "shopt -s compat44",
  "exec 1>&-",
  "exec 2>&-",
  "exec 0</dev/null 1>/dev/null 2>&1",
  "exec 3>&1 4>&2 9>/dev/null",
  "enable -n printf",
  "enable -n test",
  "cd /; CDPATH=/tmp:/usr; PWD=/spoof; OLDPWD=/spoof",
  "LC_ALL=C",
  "LC_ALL=de_XX.nonsense",
  "POSIXLY_CORRECT=1",
  "BASH_COMPAT=4.2",
  "GLOBIGNORE='*'",
  "FUNCNEST=1",
  "set -- a b c",
  "set -euo pipefail; IFS=$'\\n\\t'; shopt -s inherit_errexit",
  "nested() { local hidden=1; shopt -s extglob; }; nested",
]

describe("bash in hostile states", () => {
  it.each(HOSTILE)(
    "L25: after %s a record comes whole, nothing shows, and a new process has the state",
    async (state) => {
      const place = { cwd: "/", env: { HOME: "/root" } }
      const first = await open(place)
      const set = await first.run(`KEPT='a b'; kept() { echo "$KEPT"; }\n${state}`)
      expect(set.status).not.toBe(undefined)
      const record = await first.idle()
      if (record === undefined) throw new Error(`no record came: ${first.diagnostics()}`)
      const before = await first.run("echo x; \\builtin declare -p KEPT; kept; set +o; shopt -p")
      const second = await open(place)
      expect(await second.restore(record.snapshot)).toEqual([])
      const after = await second.run("echo x; \\builtin declare -p KEPT; kept; set +o; shopt -p")
      expect(after.status).toBe(before.status)
      expect(withoutUnrestored(after.stdout)).toBe(withoutUnrestored(withoutTraps(before.stdout)))
      const again = await second.idle()
      expect(differences(withoutLostOptions(record.snapshot), again?.snapshot).join(" ")).toBe("")
    },
  )
})

/** What stands in one snapshot and not in the other. */
function differences(before: Snapshot, after: Snapshot | undefined): readonly string[] {
  const [was, is] = [before, after].map(
    (one) =>
      new Set(
        JSON.stringify(one, null, 1)
          .split("\n")
          .map((line) => line.replace(/,$/, "")),
      ),
  )
  return [
    ...[...(was ?? [])].filter((line) => !is?.has(line)),
    ...[...(is ?? [])].filter((line) => !was?.has(line)).map((line) => `+${line}`),
  ]
}

/** What a trap of the user prints is lost with the trap. */
const withoutTraps = (text: string): string => text.replace(/^(?:debug|return|error)\n/gm, "")

const withoutUnrestored = (text: string): string =>
  text.replace(/^(?:set .o (?:noexec|onecmd|vi|emacs|privileged)|shopt -. extdebug)\n/gm, "")

/** Named in `lost`, or of no meaning without a terminal. */
function withoutLostOptions(snapshot: Snapshot): Snapshot {
  const { logicalCwd: _place, ...rest } = snapshot
  const { extdebug = false, ...shopts } = snapshot.shopts
  const options = { ...snapshot.options, vi: false, emacs: false, noexec: false, privileged: false }
  return { ...rest, options, shopts: { ...shopts, ...(extdebug ? { extdebug: false } : { extdebug }) } }
}

/** How a shell ended that ran a text, as a host would tell it. */
async function endBy(text: string, before: readonly string[] = []) {
  const shell = await open()
  let idle: Awaited<ReturnType<FifoShell["idle"]>>
  for (const earlier of before) {
    await shell.run(earlier)
    idle = await shell.idle()
  }
  const { stdout } = await shell.run(text)
  const exit = await shell.exit
  const write = await shell.exitWrite()
  const knownExitTrap = idle?.notes.exitTrap !== undefined
  const exitWrite = write === undefined ? {} : { exitWrite: write }
  return { exit, stdout, write, reason: restartReason({ busy: true, exit, text, knownExitTrap, ...exitWrite }) }
}

describe("the end of a bash", () => {
  it.each([
    ["exit 7", 7, null, "exited"],
    ["exit 300", 44, null, "exited"],
    ["set -e; false; echo no", 1, null, "errexit"],
    ["set -e; exit 7", 7, null, "exited"],
    ["set -e; false || exit 3", 3, null, "exited"],
    ["set -e; (exit 5)", 5, null, "exited"],
    ["set -e; true | grep -q x; echo no", 1, null, "errexit"],
    ["set -e; [[ a = b ]]; echo no", 1, null, "errexit"],
    ["set -e; f() { cd /nonexistent; }; f; echo no", 1, null, "errexit"],
    ["set -eu; echo $NOPE; echo no", 1, null, "errexit"],
    ["exec echo replaced", 0, null, "exec"],
    ["exec sleep 0.1", 0, null, "exec"],
    ["exec sh -c 'exit 2'", 2, null, "exec"],
    ["ulimit -v 40000; x=a; while :; do x=$x$x; done", 2, null, "exited"],
    ["kill -9 $$", null, "SIGKILL", "signaled"],
    ["kill -HUP $$; sleep 5", null, "SIGHUP", "signaled"],
    ["trap - EXIT; exit 4", 4, null, "exited"],
    ["trap 'exit 9' DEBUG; :", 9, null, "exited"],
    ["ulimit -f 0; exit 3", 3, null, "exited"],
    ["exec 1>&- 2>&-; exit 6", 6, null, "exited"],
    ["cd /tmp && mkdir -p hfx$$ && cd hfx$$ && rmdir ../hfx$$; exit 2", 2, null, "exited"],
  ])("L21: %s ends with %s %s and is told as %s", async (text, code, signal, reason) => {
    const end = await endBy(text)
    expect(end).toMatchObject({ exit: { code, signal }, reason })
    if (end.write !== undefined && code !== null) expect(end.write.status).toBe(code)
    expect(end.stdout).not.toContain("no")
  })

  it("L23: an EXIT trap of the user that stood at the last idle record is followed by our snapshot", async () => {
    const end = await endBy("later=1; exit 3", ["trap 'echo bye' EXIT"])
    expect(end).toMatchObject({ exit: { code: 3 }, stdout: "bye\n", reason: "exited" })
    expect(end.write?.snapshot.variables.map(({ name }) => name)).toContain("later")
  })

  it("L23: one that was set in the text itself leaves no exit snapshot, and it is no exec", async () => {
    const end = await endBy("trap 'echo bye' EXIT; exit 3", ["before=1"])
    expect(end).toMatchObject({ exit: { code: 3 }, stdout: "bye\n", reason: "exited", write: undefined })
  })

  it.each(["echo mine # a comment", "echo mine \\", "echo 'two\nlines'", "exit 5", "if"])(
    "an EXIT trap %j of the user is kept as it was",
    async (trap) => {
      const shell = await open()
      await shell.run(`trap -- ${shellWord(trap)} EXIT`)
      expect((await shell.idle())?.notes).toMatchObject({
        exitTrap: trap.trim(),
        exitActionStands: false,
        trapped: ["EXIT"],
      })
      expect((await shell.idle())?.notes).toMatchObject({
        exitTrap: trap.trim(),
        exitActionStands: true,
        trapped: ["EXIT"],
      })
      await shell.run("trap - EXIT")
      expect((await shell.idle())?.notes).toMatchObject({ exitActionStands: false, trapped: [] })
      expect((await shell.idle())?.notes).toMatchObject({ exitActionStands: true, trapped: [] })
    },
  )

  it("what a function's locals hide at the end comes from the snapshot before", async () => {
    const shell = await open()
    await shell.run("hidden=global; f() { local hidden=local own=1; exit 3; }")
    await shell.idle()
    await shell.run("f")
    const write = await shell.exitWrite()
    const kept = Object.fromEntries((write?.snapshot.variables ?? []).map((one) => [one.name, one.assignment]))
    expect(kept.hidden).toBe('hidden="global"')
    expect(kept.own).toBe(undefined)
  })

  it("a shell that was killed from outside while idle is told so; one that logged out is not", () => {
    const idle = { busy: false, knownExitTrap: false }
    expect(restartReason({ ...idle, exit: { code: null, signal: "SIGKILL" } })).toBe("killed_outside")
    const signs = { errexit: false, unwound: false }
    expect(restartReason({ ...idle, exit: { code: 0, signal: null }, exitWrite: signs })).toBe("exited")
    expect(restartReason({ ...idle, replaced: "detached" })).toBe("detached")
    expect(restartReason({ ...idle, hostLost: true })).toBe("host_lost")
  })
})

const VALUES: readonly (readonly [string, string])[] = [
  ["newlines and controls", "a=$'x\\ny\\t\\001\\033[31m\\r\\n'"],
  ["quotes", `a="it's \\"q\\" \\$HOME \\\`x\\\` \\\\"`],
  ["unicode", "a='日本語 ünï 🎉 \u2028'"],
  ["bytes that are no UTF-8", "a=$'\\xff\\xfe\\x80ok'"],
  ["spaces and globs", "a='  * ? [a-z] {1,2} ~ !x #y '"],
  ["an empty value", "a="],
  ["a large value", "printf -v a '%50000s' x"],
  ["an array", "a=([0]=x [5]='y z' [7]=$'n\\nl' [9]='')"],
  ["an empty array", "a=()"],
  ["an associative array", `declare -A a=([k]=v ['a b']="c'd" ['e]f']='g"h' [$'n\\nl']=x)`],
  ["an integer", "declare -i a=5"],
  ["an integer that is none", "a=1/0; declare -i a"],
  ["upper case", "declare -u a=abc"],
  ["lower case given later", "a=ABC; declare -l a"],
  ["a readonly", "readonly a=1"],
  ["a readonly array", "declare -ra a=(1 2)"],
  ["an exported integer", "declare -ix a=7"],
  ["exported without a value", "declare -x a"],
  ["a name reference", "target=5; declare -n a=target"],
  ["a name reference to an element", "declare -A m=([k]=v); declare -n a=m[k]"],
  ["traced", "declare -t a=1"],
]

describe("a value in bash", () => {
  it.each(VALUES)("L22: %s is the same in a new process", async (_what, text) => {
    const show = "declare -p a; declare -p | grep -c .; env | grep -a ^a="
    const first = await open()
    await first.run(text)
    const record = await first.idle()
    if (record === undefined) throw new Error("no record came")
    const { shell: second, failed } = await next(record.snapshot)
    expect(failed).toEqual([])
    expect((await second.run(show)).stdout.split("\n")[0]).toBe((await first.run(show)).stdout.split("\n")[0])
    expect((await second.run("env | grep -ac ^a=")).stdout).toBe((await first.run("env | grep -ac ^a=")).stdout)
    expect((await second.idle())?.snapshot.variables).toEqual(record.snapshot.variables)
  })
})

describe("a function in bash", () => {
  const FUNCTIONS: readonly (readonly [string, string, string])[] = [
    ["with a heredoc that looks like the next", "f() { cat <<'X'\ng () \n{\nX\n}; g() { echo g; }", "f; g"],
    ["exported", "f() { echo $1; }; export -f f", "bash -c 'f x'"],
    ["with odd names", "a-b() { echo 1; }; a.b() { echo 2; }; ü() { echo 3; }", "a-b; a.b; ü"],
    [
      "with extglob patterns",
      `shopt -s extglob\nf() { [[ $1 == @(a|b)+(c) ]] && echo \${1//+(c)/x}; case $1 in !(z)) echo y;; esac; }`,
      "f acc",
    ],
    ["with quotes and unicode", "f() { echo \"it's\" 'a\"b' $'n\\nl' 日本; }", "f"],
    ["that stands in for builtin", "builtin() { echo shadowed; }; f() { :; }; unset -f f", "builtin x"],
    [
      "named like keywords of ours",
      "declare() { echo d; }; echo() { printf 'e\\n'; }; set() { printf 's\\n'; }",
      "declare; echo; set",
    ],
    ["whose body was an alias", "alias ll='echo long'\nf() { ll; }", "f"],
  ]

  it.each(FUNCTIONS)("L22: %s is the same in a new process", async (what, text, call) => {
    const first = await open()
    // The record is taken before `builtin` is shadowed: afterwards there is none.
    await first.run(text)
    const record = await first.idle(what.includes("builtin") ? 300 : 5000)
    if (what.includes("builtin")) {
      expect(record).toBe(undefined)
      expect((await first.run("unset -f builtin; echo alive")).stdout).toBe("alive\n")
      return
    }
    if (record === undefined) throw new Error("no record came")
    const { shell: second, failed } = await next(record.snapshot)
    expect(failed).toEqual([])
    expect(await second.run(call)).toEqual(await first.run(call))
  })

  it("one that cannot be read again is named, and the others stay", async () => {
    const first = await open()
    await first.run("f() { echo f; }; g() { echo g; }; h() { echo h; }")
    const snapshot = (await first.idle())?.snapshot
    if (snapshot === undefined) throw new Error("no record came")
    const functions = snapshot.functions.map((one) => (one.name === "g" ? { ...one, text: "g () {" } : one))
    const { shell, failed } = await next({ ...snapshot, functions })
    expect(failed).toEqual(["function g"])
    expect((await shell.run("f; h; g")).stdout).toBe("f\nh\n")
  })

  it("those that may keep a text from being read stay away where the old process could not read it", async () => {
    const first = await open()
    await first.run(".() { :; }; f() { echo f; }; alias source=false x='echo x'; ulimit -S -c 0")
    const snapshot = (await first.idle())?.snapshot
    if (snapshot === undefined) throw new Error("no record came")
    const second = await open()
    expect(await second.restore(snapshot, { plainWords: true })).toEqual([])
    expect((await second.run("f\nx\ntype -t source")).stdout).toBe("f\nx\nbuiltin\n")
  })
})

describe("what a snapshot leaves out", () => {
  it("registered values and MCP_* in every quoting, and what holds them", async () => {
    const secret = "s3cr\"et'\n$x"
    const options = { env: { TOKEN: secret, MCP_KEY: "abc", PLAIN: "1" }, secrets: [secret, "hunter22"] }
    const first = await open(options)
    await first.run(
      'copy="x$TOKEN"; arr=(a "$TOKEN"); f() { echo hunter22; }; alias a=\'echo hunter22\'; g() { :; }; MCP_X=1',
    )
    const snapshot = (await first.idle())?.snapshot
    if (snapshot === undefined) throw new Error("no record came")
    expect([...snapshot.leftOut].sort()).toEqual(["MCP_KEY", "MCP_X", "TOKEN", "arr", "copy"])
    expect([...snapshot.unkept].sort()).toEqual(["alias a", "function f"])
    expect(JSON.stringify(snapshot)).not.toContain("hunter22")
    const environment = ["TOKEN", "MCP_KEY", "PLAIN"]
    const report = { fifo: "/x", token: "0".repeat(32) }
    const { lost } = restoreText(snapshot, { environment, withoutErrexit: false, plainWords: false, report })
    expect([...lost].sort()).toEqual(["alias a", "function f", "variable MCP_X", "variable arr", "variable copy"])
    const { shell } = await next(snapshot, options)
    expect((await shell.run(`printf %s "$TOKEN|$MCP_KEY|$PLAIN|\${copy-none}"`)).stdout).toBe(`${secret}|abc|1|none`)
  })

  it("L26c: TMOUT, prompts and HISTFILE, readonly or not", async () => {
    const { shell } = await reborn("readonly TMOUT=1 PS1=x; PS2=y PROMPT_COMMAND='echo n' HISTFILE=/h MAILCHECK=1")
    const after = await shell.run('echo "$TMOUT|$PS1|$PS2|$PROMPT_COMMAND|$HISTFILE|$MAILCHECK"')
    expect(after.stdout).toBe("||||||\n".slice(1))
  })

  it("what was unset stays unset, and what was not exported is not", async () => {
    const { shell } = await reborn("unset PAGER PATH OLDPWD; export -n LANG; unset IFS")
    const after = await shell.run(
      `echo \${PAGER-no} \${PATH-no} \${OLDPWD-no} \${IFS-no}; export -p | /bin/grep -c LANG`,
    )
    expect(after.stdout).toBe("no no no no\n0\n")
  })

  it("options that would end or gag the new process are named", async () => {
    const first = await open()
    await first.run("shopt -s extdebug; set -e")
    const snapshot = (await first.idle())?.snapshot
    if (snapshot === undefined) throw new Error("no record came")
    const report = { fifo: "/x", token: "0".repeat(32) }
    const text = restoreText(snapshot, { environment: [], withoutErrexit: true, plainWords: false, report })
    expect(text.lost).toEqual(["errexit", "extdebug"])
  })
})

it("L22: a directory reached through a link is left as it was reached", async () => {
  const place = scratch()
  const first = await open({ cwd: place })
  await first.run("mkdir real; ln -s real link; cd link")
  const snapshot = (await first.idle())?.snapshot
  if (snapshot === undefined) throw new Error("no record came")
  expect(snapshot).toMatchObject({ cwd: join(place, "real"), logicalCwd: join(place, "link") })
  const { shell } = await next(snapshot, { cwd: join(place, "real") })
  expect((await shell.run("pwd; pwd -P")).stdout).toBe(`${place}/link\n${place}/real\n`)
})

it("a record is the same however its bytes are cut", async () => {
  const shell = await open()
  await shell.run("f() { echo f; }; x=$'a\\nb'")
  const snapshot = (await shell.idle())?.snapshot
  const token = "ab".repeat(16)
  const place = { ...shell.place, exitToken: "cd".repeat(16) }
  const bytes = Buffer.from(sampleRecord(token), "latin1")
  for (let size = 1; size < bytes.length; size += 7) {
    const reader = createSnapshotReader({ place, secrets: () => [] })
    reader.expect(token)
    const got: Written[] = []
    for (let at = 0; at < bytes.length; at += size) got.push(...reader.push(bytes.subarray(at, at + size)))
    expect(got).toHaveLength(1)
    expect(got[0]?.snapshot.variables).toEqual([{ name: "x", attributes: "", assignment: "x=$'a\\nb'" }])
  }
  expect(snapshot?.functions).toHaveLength(1)
})

function sampleRecord(token: string): string {
  const sections: Readonly<Record<string, string>> = { flags: "hiBs \n", variables: "declare -- x=$'a\\nb'\n" }
  const names = sectionNames("bash", "idle")
  return `noise${token} begin\n${names.map((name) => `${sections[name] ?? ""}${token} ${name}\n`).join("")}`
}

it("a snapshot in a file is the same when it is read again, and nobody else's", async () => {
  const shell = await open()
  await shell.run("x=$'\\xff'; f() { :; }; set -u")
  const snapshot = (await shell.idle())?.snapshot
  if (snapshot === undefined) throw new Error("no record came")
  const path = join(shell.directory, "stored")
  storeSnapshot(path, snapshot)
  expect(loadSnapshot(path)).toEqual(snapshot)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  writeFileSync(path, "{")
  expect(loadSnapshot(path)).toBe(undefined)
})

describe("sh", () => {
  const sh: FifoShellOptions = { dialect: "sh" }

  it("L60: variables, aliases, options, umask and cwd come back; functions are named as lost", async () => {
    const first = await open(sh)
    await first.run(
      "A=\"it's\nb\"; export B='x y'; readonly C=1; alias q='echo Q'; set -u; set -f; umask 027; f() { :; }",
    )
    const record = await first.idle()
    if (record === undefined) throw new Error("no record came")
    expect(record.snapshot.unkept).toEqual(["functions"])
    const { shell, failed } = await next(record.snapshot, sh)
    expect(failed).toEqual([])
    expect(await shell.run('echo "$A"; env | grep ^B; q; umask; echo $-\nC=2; echo no')).toMatchObject({
      stdout: expect.stringMatching(/^it's\nb\nB=x y\nQ\n0027\n\w*f\w*u?\w*\n$/),
    })
  })

  it.each([
    ["exit 4", 4, "exited"],
    ["set -e; false; echo no", 1, "errexit"],
    ["exec echo replaced", 0, "exec"],
  ])("L60: %s ends with %s, %s", async (text, code, reason) => {
    const shell = await open(sh)
    await shell.run("kept=1")
    const idle = await shell.idle()
    const run = await shell.run(text)
    const exit = await shell.exit
    const write = await shell.exitWrite()
    const facts = { busy: true, exit, text, knownExitTrap: idle?.notes.exitTrap !== undefined }
    expect(exit).toEqual({ code, signal: null })
    expect(restartReason({ ...facts, ...(write === undefined ? {} : { exitWrite: write }) })).toBe(reason)
    expect(run.stdout).not.toContain("no")
    if (reason !== "exec") expect(write?.status).toBe(code)
    if (reason !== "exec") expect(write?.snapshot.variables.map(({ name }) => name)).toContain("kept")
  })

  it("the user's EXIT trap is kept in front of our action", async () => {
    const shell = await open(sh)
    await shell.run("trap 'echo bye' EXIT")
    expect((await shell.idle())?.notes).toMatchObject({ exitTrap: "echo bye", exitActionStands: false })
    await shell.run("late=1; exit 3")
    expect((await shell.exitWrite())?.snapshot.variables.map(({ name }) => name)).toContain("late")
  })
})

describe("notes", () => {
  it.each([
    ["true", true],
    ["trap 'echo x' STKFLT", false],
    ["trap - STKFLT", false],
    ["enable -n kill", false],
    ["trap() { :; }", false],
    ["kill() { :; }", false],
  ])("after %s the abort trap is known to work: %s", async (text, canAbort) => {
    const shell = await open()
    await shell.run(text)
    expect((await shell.idle())?.notes.canAbort).toBe(canAbort)
  })

  it("name the user's traps", async () => {
    const shell = await open()
    await shell.run("trap 'echo d' DEBUG; trap '' INT; trap 'x' USR1")
    expect([...((await shell.idle())?.notes.trapped ?? [])].sort()).toEqual(["DEBUG", "INT", "USR1"])
  })
})
describe("bash", () => {
  it("L22: variables, functions, aliases, options, umask and cwd are in a new process as they were", async () => {
    const { shell, failed } = await reborn(
      "f(){ echo F; }; export A=1; declare -A m=([k]=v); alias g='echo G'; shopt -s nullglob; umask 027; cd /usr",
    )
    expect(failed).toEqual([])
    const after = await shell.run(`f; echo $A \${m[k]}\ng\nshopt nullglob; umask; env | grep ^A=`)
    expect(after.stdout).toMatch(/^F\n1 v\nG\nnullglob\s+on\n0027\nA=1\n$/)
  })
})
