import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { isReadOnly } from "../../adapters/runners/local/shells/remote/checkpoints/read-only.ts"
import type { Workspace } from "../../core/shells/runner.ts"
import { openRemoteHost, type RemoteUnderTest, reachOf, settingsFor } from "./remote-fixture.ts"
import { startSshd, type TestSshd } from "./remote-sshd.ts"
import { openShell, type TestShell } from "./shell-fixture.ts"

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

/** A folder on the target, which is this machine, and a shell in it. */
async function openIn(more: Partial<Workspace> = {}): Promise<{ readonly place: string; readonly shell: TestShell }> {
  const place = mkdtempSync(join(test.root, "w-"))
  const workspace = { path: place, paths: [], automatic: false, ignores: [], ...more }
  const shell = await openShell(test, { reach: { ...reachOf(sshd), workspace }, cwd: place })
  return { place, shell }
}

it("L59: a restore makes the workspace what it was, and its own safety checkpoint brings back what it took", async () => {
  const { place, shell } = await openIn()
  const at = (name: string): string => join(place, name)
  writeFileSync(at("f"), "one\r\n")
  writeFileSync(at("h"), Buffer.from([0, 255, 13, 10]))
  const { id } = await test.shells.checkpoint(shell.uid, "start")
  expect(id).toMatch(/^[0-9a-f]{40}$/)
  expect((await shell.run("echo x >> f; echo new > g; rm h")).code).toBe(0)
  const restored = await test.shells.restore(shell.uid, undefined)
  expect(restored).toMatchObject({ restoredTo: id, filesChanged: 3, removed: 1 })
  expect(readFileSync(at("f"), "utf8")).toBe("one\r\n")
  expect([...readFileSync(at("h"))]).toEqual([0, 255, 13, 10])
  expect(existsSync(at("g"))).toBe(false)
  await test.shells.restore(shell.uid, restored.safetyCheckpointId)
  expect(readFileSync(at("g"), "utf8")).toBe("new\n")
  expect(existsSync(at("h"))).toBe(false)
})

it("secrets, build folders and the workspace's own repository are left alone by checkpoints", async () => {
  const { place, shell } = await openIn({ ignores: ["*.log", "!.env"] })
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: place,
      encoding: "utf8",
    })
  git("init", "-q")
  writeFileSync(join(place, ".gitignore"), "!.env\nkept\n")
  writeFileSync(join(place, "kept"), "1")
  git("add", "-A")
  git("commit", "-qm", "x")
  const before =
    git("status", "--porcelain") + git("rev-parse", "HEAD") + readFileSync(join(place, ".git/index"), "hex")
  mkdirSync(join(place, "node_modules"))
  for (const name of [".env", "a.log", "node_modules/m"]) writeFileSync(join(place, name), "old")
  await test.shells.checkpoint(shell.uid, "")
  for (const name of [".env", "a.log", "node_modules/m", "kept"]) writeFileSync(join(place, name), "new")
  expect(await test.shells.restore(shell.uid, undefined)).toMatchObject({ filesChanged: 1, removed: 0 })
  expect(readFileSync(join(place, "kept"), "utf8")).toBe("1")
  for (const name of [".env", "a.log", "node_modules/m"]) expect(readFileSync(join(place, name), "utf8")).toBe("new")
  rmSync(join(place, "node_modules"), { recursive: true })
  expect(git("rev-parse", "HEAD")).toBe(
    before.slice(-readFileSync(join(place, ".git/index"), "hex").length - 41).slice(0, 41),
  )
  expect(before.endsWith(readFileSync(join(place, ".git/index"), "hex"))).toBe(true)
})

it("only the named paths below the workspace are taken and given back", async () => {
  const { place, shell } = await openIn({ paths: ["in"] })
  mkdirSync(join(place, "in"))
  for (const name of ["in/a", "b"]) writeFileSync(join(place, name), "old")
  await test.shells.checkpoint(shell.uid, "")
  for (const name of ["in/a", "b"]) writeFileSync(join(place, name), "new")
  expect(await test.shells.restore(shell.uid, undefined)).toMatchObject({ filesChanged: 1 })
  expect(readFileSync(join(place, "in/a"), "utf8")).toBe("old")
  expect(readFileSync(join(place, "b"), "utf8")).toBe("new")
})

it("before a command that may change something a checkpoint is made by itself, before others none", async () => {
  const { place, shell } = await openIn({ automatic: true })
  expect((await test.shells.facts(shell.uid))?.automaticCheckpoints).toBe(true)
  writeFileSync(join(place, "f"), "old")
  await shell.run("ls -l; cat f | head -1")
  expect(await test.shells.checkpoints(shell.uid)).toEqual([])
  await shell.run("echo new > f")
  await shell.run("touch f; true")
  const list = await test.shells.checkpoints(shell.uid)
  expect(list.map(({ automatic }) => automatic)).toEqual([true, true])
  const manual = await test.shells.checkpoint(shell.uid, "mine \"quoted\" 'too'")
  expect((await test.shells.checkpoints(shell.uid))[0]).toEqual(manual)
  expect((await test.shells.restore(shell.uid, list[1]?.id)).filesChanged).toBe(1)
  expect(readFileSync(join(place, "f"), "utf8")).toBe("old")
})

it("what cannot be is said: no workspace, a local shell, an unknown id", async () => {
  const { shell } = await openIn({ path: "/no/such/folder" })
  const unsupported = (reason: string) => ({ kind: "checkpoint_unsupported", details: { reason } })
  await expect(test.shells.checkpoint(shell.uid, "")).rejects.toMatchObject(unsupported("no_workspace"))
  const local = await openShell(test)
  await expect(test.shells.checkpoints(local.uid)).rejects.toMatchObject(unsupported("local"))
  const { shell: good } = await openIn()
  await expect(test.shells.restore(good.uid, undefined)).rejects.toMatchObject({ kind: "checkpoint_not_found" })
  await test.shells.checkpoint(good.uid, "")
  for (const id of ["0".repeat(40), "--help", "HEAD"]) {
    await expect(test.shells.restore(good.uid, id)).rejects.toMatchObject({ kind: "checkpoint_not_found" })
  }
})

it.each([
  ["ls -la | grep x; cat f && git status --short", true],
  ["cd sub\npwd\n# a comment", true],
  ["find . -name '*.ts'", false],
  ["find . -type f", true],
  ["find . -delete", false],
  ["find . $X", false],
  ["git diff", true],
  ["git diff --output=f", false],
  ["git checkout .", false],
  ["cat f > g", false],
  ["echo $(rm f)", false],
  ["echo `rm f`", false],
  ["diff <(ls) f", false],
  [`echo \${x@P}`, false],
  ["sort -u f", true],
  ["sort -uo f f", false],
  ["X=1 ls", false],
  ["\\rm f", false],
  ["sed -i s/a/b/ f", false],
  ["l's' f", false],
  ["echo 'a; rm b'", false],
  ["for f in *; do cat $f; done", false],
])("%j is provably read-only: %s", (text, expected) => {
  expect(isReadOnly(text)).toBe(expected)
})
