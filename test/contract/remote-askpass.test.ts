import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { createAskpass } from "../../adapters/runners/local/shells/remote/ssh/askpass.ts"
import { sshArguments } from "../../adapters/runners/local/shells/remote/ssh/command-line.ts"
import { sshFailure } from "../../adapters/runners/local/shells/remote/ssh/failure.ts"

const directory = mkdtempSync("/tmp/hf-ask-")

afterAll(() => rmSync(directory, { recursive: true, force: true }))

it("a password is answered once, by a FIFO that nobody else can read, and stands in no file", async () => {
  const password = "p$s 'w\"\\ö"
  const askpass = await createAskpass(directory, "one", password)
  const helper = askpass.env["SSH_ASKPASS"] ?? ""
  const fifo = statSync(join(directory, "one.p"))
  expect([fifo.isFIFO(), fifo.mode & 0o777]).toEqual([true, 0o600])
  expect(readFileSync(helper, "utf8")).not.toContain(password)
  expect(JSON.stringify(askpass.env)).not.toContain(password)
  expect(execFileSync(helper, ["a@b's password: "], { encoding: "utf8" })).toBe(`${password}\n`)
  expect(spawnSync(helper, ["again: "], { encoding: "utf8" })).toMatchObject({ status: 1, stdout: "" })
  askpass.close()
  expect(readdirSync(directory)).toEqual([])
})

it("a password that was never asked for leaves nothing", async () => {
  const askpass = await createAskpass(directory, "two", "secret")
  askpass.close()
  askpass.close()
  expect(readdirSync(directory)).toEqual([])
})

const options = {
  role: "master",
  socket: "/s",
  hostKeys: { kind: "known", files: ["/a b"], firstUse: "accept" },
} as const

it("ssh asks nobody unless a password was given, and then once", () => {
  expect(sshArguments({ host: "h" }, options)).toContain("BatchMode=yes")
  const asked = sshArguments({ host: "h", withPassword: true }, options)
  expect(asked).toEqual(
    expect.arrayContaining(["BatchMode=no", "NumberOfPasswordPrompts=1", "PubkeyAuthentication=no"]),
  )
  expect(asked).toEqual(expect.arrayContaining(["StrictHostKeyChecking=accept-new", 'UserKnownHostsFile="/a b"']))
  expect(asked.slice(-3)).toEqual(["--", "h", "exec sh"])
})

it.each([
  ["Permission denied (publickey,password).", { kind: "ssh_auth_required", executionState: "not_started" }],
  ["u@h: Permission denied (keyboard-interactive).", { kind: "ssh_auth_required" }],
  ["Permission denied (publickey).", { kind: "ssh_failed", details: { phase: "auth" } }],
  ["ssh: connect to host h port 22: Connection timed out", { details: { phase: "connect" }, recovery: "retry_later" }],
  ["kex_exchange_identification: Connection closed by remote host", { details: { phase: "connect" } }],
  ["command-line: line 0: Bad configuration option: knownhostscommand", { kind: "capability_unavailable" }],
  ["sh: not found", { details: { phase: "shell" } }],
])("what ssh says is told by its phase: %s", (stderr, expected) => {
  expect(
    sshFailure(stderr, { withPassword: false, withKey: false, pinned: false, shownPath: (path) => path }),
  ).toMatchObject(expected)
})
