import { existsSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openRemoteHost, type RemoteUnderTest, reachOf, settingsFor } from "./remote-fixture.ts"
import { startSshd, type TestSshd } from "./remote-sshd.ts"
import { isAlive, openShell, sleepMs, type TestShell } from "./shell-fixture.ts"

let sshd: TestSshd
let test: RemoteUnderTest

beforeAll(async () => {
  sshd = await startSshd()
  test = await openRemoteHost(settingsFor(sshd))
})

afterAll(async () => {
  await test.close()
  await sshd.close()
})

const open = (more: Parameters<typeof openShell>[1] = {}): Promise<TestShell> =>
  openShell(test, { reach: reachOf(sshd), ...more })

/** Directories of relays on the target, which is this machine. */
const relays = (shell: TestShell): readonly string[] =>
  readdirSync("/tmp").filter((name) => name === `.hf-${shell.uid}`)

/** Processes of the target that have something below a directory open. */
function holders(directory: string): readonly string[] {
  return readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && opened(pid).some((name) => name.startsWith(directory)),
  )
}

function opened(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  } catch {
    // It or the descriptor is gone.
    return []
  }
}

it.concurrent("L56: over a real sshd, directory and environment last from command to command (row 1)", async () => {
  const shell = await open({ cwd: "/" })
  const first = await shell.run("cd /usr && export ENV=prod")
  expect(first.facts).toMatchObject({ outcome: { kind: "exited", exit_code: 0 }, shell: { cwd: "/usr" } })
  expect(await shell.run("pwd")).toMatchObject({ stdout: "/usr\n", stderr: "", code: 0 })
  expect((await shell.run("echo $ENV")).stdout).toBe("prod\n")
  expect(await shell.run("echo e >&2; f(){ return 3; }; f")).toMatchObject({ stdout: "", stderr: "e\n", code: 3 })
})

it.concurrent("L56: a timeout ends the command and keeps the shell (row 3), and the rest of the text never runs", async () => {
  const shell = await open()
  await shell.run("cd /tmp")
  const late = await shell.run(`sleep 30; touch ${test.root}/F`, { timeoutMs: 2000 })
  expect(late.facts).toMatchObject({ outcome: { kind: "timed_out", after_ms: 2000 }, shell: { cwd: "/tmp" } })
  expect(late.facts.shell?.restarted).toBeUndefined()
  expect(await shell.run("pwd")).toMatchObject({ stdout: "/tmp\n", code: 0 })
  expect(existsSync(`${test.root}/F`)).toBe(false)
})

it.concurrent("L56: the exit status of a dying shell is the command's, and the shell goes on (row 21)", async () => {
  const shell = await open()
  await shell.run("cd /usr; export A=kept")
  await sleepMs(500)
  const seven = await shell.run("exit 7")
  expect(seven.facts).toMatchObject({
    outcome: { kind: "exited", exit_code: 7 },
    shell: { generation: 1, cwd: "/usr", restarted: { reason: "exited", exit_code: 7, snapshot: "exit" } },
  })
  expect((await shell.run("exit 300")).code).toBe(44)
  const errexit = await shell.run("set -e; false; echo no")
  expect(errexit).toMatchObject({ code: 1, stdout: "" })
  expect(errexit.facts.shell?.restarted).toMatchObject({ reason: "errexit", lost: ["errexit"] })
  const exec = await shell.run("exec echo replaced")
  expect(exec).toMatchObject({ stdout: "replaced\n", code: 0 })
  expect(exec.facts.shell?.restarted?.reason).toBe("exec")
  const killed = await shell.run("kill -9 $$")
  expect(killed.facts.outcome).toEqual({ kind: "signaled", signal: "SIGKILL" })
  expect((await shell.run("echo $A; pwd")).stdout).toBe("kept\n/usr\n")
})

it.concurrent("a shell that was replaced leaves nobody on the target who listens to it", async ({ expect: here }) => {
  const shell = await open()
  const directory = `/tmp/.hf-${shell.uid}`
  for (const _round of [1, 2, 3]) await shell.run("exit 1")
  for (const old of ["g0", "g1", "g2"]) await here.poll(() => holders(`${directory}/${old}/`)).toEqual([])
  expect(holders(`${directory}/g3/`).length).toBeGreaterThan(0)
})

it.concurrent("L56: what a background child writes later is its own command's late output (row 32)", async () => {
  const shell = await open()
  const first = await shell.run("(sleep 2; echo LATE) & echo fg")
  expect(first.stdout).toBe("fg\n")
  expect(first.facts.background).toHaveLength(1)
  expect(first.facts.background[0]?.holdsOutput).toBe(true)
  await sleepMs(4000)
  const second = await shell.run("echo second")
  expect(second.stdout).toBe("second\n")
  expect(second.facts.shell?.lateOutput).toEqual([{ jobId: first.jobId, bytes: 5 }])
  expect((await shell.end(first.jobId)).stdout).toBe("fg\nLATE\n")
})

it("L56: a link cut for 5 s loses nothing: every line, the real status, run once", async () => {
  const shell = await open()
  const jobId = await shell.begin(`echo run >>${test.root}/runs; for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 1; done`)
  await sleepMs(1500)
  sshd.cut()
  await sleepMs(500)
  expect((await test.shells.facts(shell.uid))?.state).toBe("recovering")
  await sleepMs(4500)
  sshd.mend()
  const ran = await shell.end(jobId)
  expect(ran).toMatchObject({ stdout: "1\n2\n3\n4\n5\n6\n7\n8\n", code: 0 })
  expect(ran.facts.outputGap).toBe(false)
  expect((await test.shells.facts(shell.uid))?.state).toBe("running")
  expect(await shell.run(`cat ${test.root}/runs`)).toMatchObject({ stdout: "run\n", code: 0 })
})

it.concurrent("L60: an sh over ssh goes on after its errors and its end", async () => {
  const shell = await open({ dialect: "sh" })
  await shell.run("cd /usr; X=1")
  await sleepMs(500)
  const four = await shell.run("exit 4")
  expect(four.code).toBe(4)
  expect(four.facts.shell?.restarted).toMatchObject({ reason: "exited" })
  expect((await shell.run("if then")).code).toBe(2)
  expect((await shell.run("R=1; readonly R; R=2")).code).toBeGreaterThanOrEqual(1)
  expect(await shell.run(". /nonexistent; echo after")).toMatchObject({ stdout: "", code: 2 })
  expect((await shell.run("pwd; echo $X")).stdout).toBe("/usr\n1\n")
})

it.concurrent("bytes arrive as they were written, and texts as they were sent", async () => {
  const shell = await open()
  const text = "caf\u00e9\t\u{1f600}\r\n'quotes' \"$(no)\" \\ \u0001\u007f\n"
  expect((await shell.run(`cat <<'E'\n${text}E\n`)).stdout).toBe(text)
  expect((await shell.run("wc -l", { stdin: "a\nb" })).stdout.trim()).toBe("1")
  expect((await shell.run("echo a \\")).stdout).toBe("a \\\n")
  const much = await shell.run("head -c 5000000 /dev/zero")
  expect(much.facts.totals.stdout.bytes_total).toBe(5_000_000)
  expect(
    (await shell.run("echo $X; env | grep -c HOLDFAST_SHELL", { env: [{ name: "X", value: "y z" }] })).stdout,
  ).toBe("y z\n1\n")
})

it("a flood is whole, and its file on the target stays short", async () => {
  const shell = await open()
  // In pieces: all at once, a fast machine has written it before anybody looks.
  const jobId = await shell.begin("for i in $(seq 60); do yes | head -c 1000000; sleep 0.05; done; echo end")
  let largest = 0
  const root = `/tmp/.hf-${shell.uid}`
  const watching = setInterval(() => {
    for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (path.endsWith("/od"))
        largest = Math.max(largest, statSync(`${root}/${path}`, { throwIfNoEntry: false })?.size ?? 0)
    }
  }, 20)
  const ran = await shell.end(jobId)
  clearInterval(watching)
  expect(ran.facts.totals.stdout).toMatchObject({ bytes_total: 60_000_004, lines_total: 30_000_001 })
  expect(ran.facts.outputGap).toBe(false)
  expect(largest).toBeGreaterThan(0)
  expect(largest).toBeLessThan(60_000_000)
})

it.concurrent("a close ends everything on the target and leaves no file there", async () => {
  const shell = await open()
  const { stdout } = await shell.run("setsid sleep 300 & sleep 301 & echo $$ $!")
  const pids = stdout.trim().split(" ").map(Number)
  expect(relays(shell)).toHaveLength(1)
  const closed = await test.shells.close(shell.uid, { reason: "destroyed", background: "kill" })
  expect(closed?.survivors).toEqual([])
  expect(closed?.ended.map(({ command }) => command).toSorted()).toEqual(["sleep 300", "sleep 301"])
  for (const pid of pids) expect(await isAlive(pid)).toBe(false)
  await sleepMs(500)
  expect(relays(shell)).toEqual([])
})

/** The refusal of a shell that cannot be opened. */
const refusal = (more: Partial<ReturnType<typeof reachOf>>, host: RemoteUnderTest = test): Promise<unknown> =>
  openShell(host, { reach: { ...reachOf(sshd), ...more } }).then(
    () => "opened",
    (error: unknown) => error,
  )

it.concurrent("L57: a pinned fingerprint lets in the host that has it, and no other", async () => {
  const shell = await open({ reach: { ...reachOf(sshd), fingerprint: sshd.fingerprint() } })
  expect((await shell.run("echo pinned")).stdout).toBe("pinned\n")
  const wrong = await refusal({ fingerprint: `SHA256:${"A".repeat(43)}` })
  expect(wrong).toMatchObject({ kind: "ssh_failed", details: { phase: "host_key" }, executionState: "not_started" })
  expect(await refusal({ fingerprint: "MD5:aa" })).toMatchObject({ kind: "invalid_arguments" })
})

it.concurrent("L57: a key that is missing, outside its folder or a link is refused in one and the same text", async () => {
  const outside = join(sshd.directory, "outside")
  writeFileSync(outside, "no key", { mode: 0o600 })
  symlinkSync(outside, join(sshd.keyDirectory, "link"))
  mkdirSync(join(sshd.keyDirectory, "folder"))
  const paths = ["../../etc/passwd", "link", "missing", "folder", outside]
  const errors = await Promise.all(paths.map((keyPath) => refusal({ auth: { keyPath } })))
  for (const error of errors) expect(error).toMatchObject({ kind: "key_unavailable", executionState: "not_started" })
  expect(new Set(errors.map((error) => (error instanceof Error ? error.message : ""))).size).toBe(1)
})

it.concurrent("what ssh cannot reach or enter says at which step it failed", async () => {
  expect(await refusal({ host: "no-such-host.invalid" })).toMatchObject({
    kind: "ssh_failed",
    details: { phase: "resolve" },
  })
  expect(await refusal({ host: "-oProxyCommand=touch /tmp/x" })).toMatchObject({ details: { phase: "resolve" } })
  expect(await refusal({ port: 1 })).toMatchObject({
    kind: "ssh_failed",
    details: { phase: "connect" },
    recovery: "retry_later",
  })
  writeFileSync(join(sshd.keyDirectory, "broken"), "no key\n", { mode: 0o600 })
  expect(await refusal({ auth: { keyPath: "broken" } })).toMatchObject({
    kind: "ssh_failed",
    details: { phase: "auth" },
  })
  expect(
    await openShell(test, { reach: reachOf(sshd), cwd: "/no/such/place" }).catch((error: unknown) => error),
  ).toMatchObject({
    kind: "cwd_invalid",
    details: { reason: "missing" },
  })
})

it.concurrent("a host that asks for a password says so, whatever key is named; a wrong one is a refused login", async () => {
  const asking = await startSshd({ login: "password" })
  const host = await openRemoteHost(settingsFor(asking))
  const refused = (auth?: { readonly password: string } | { readonly keyPath: string }): Promise<unknown> => {
    const { auth: _key, ...reach } = reachOf(asking)
    return openShell(host, { reach: { ...reach, ...(auth === undefined ? {} : { auth }) } }).catch((error) => error)
  }
  try {
    const wanted = { kind: "ssh_auth_required", recovery: "fix_input", executionState: "not_started" }
    const [bare, keyed, wrong] = [
      await refused(),
      await refused({ keyPath: asking.keyPath }),
      await refused({ password: "no" }),
    ]
    expect(bare).toMatchObject(wanted)
    expect(String(bare)).toMatch(/password/)
    expect(keyed).toMatchObject(wanted)
    expect(wrong).toMatchObject({ kind: "ssh_failed", details: { phase: "auth" } })
  } finally {
    await host.close()
    await asking.close()
  }
})

it.concurrent("a host key nobody knows is refused where first use is not accepted", async () => {
  const strict = await openRemoteHost({ ...settingsFor(sshd), sshFirstUse: "refuse" })
  try {
    expect(await refusal({}, strict)).toMatchObject({ kind: "host_key_unknown", executionState: "not_started" })
  } finally {
    await strict.close()
  }
})

it("L57: a host key that was replaced after its first use is refused, with file and line", async () => {
  const shell = await open()
  await test.shells.close(shell.uid, { reason: "destroyed", background: "kill" })
  await sshd.changeHostKey()
  const changed = await refusal({})
  expect(changed).toMatchObject({
    kind: "host_key_changed",
    details: { host: `[127.0.0.1]:${sshd.port}`, file: "known_hosts of the data directory", line: 1 },
  })
  expect(String(changed)).not.toContain("AAAA")
})
