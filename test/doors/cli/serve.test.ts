import { execFileSync, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { hashSecret } from "../../../core/access/secret.ts"
import { ensureBuild } from "../../support/build.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { type ServerProcess, startProcess } from "../../support/server-process.ts"
import { oneSentence, runHoldfast } from "./run-holdfast.ts"

async function call(server: Pick<ServerProcess, "url">, token: string, tool = "list_projects", input: object = {}) {
  return await fetch(`${server.url}/tools/${tool}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(input),
  })
}

describe("holdfast serve", () => {
  let place: Place
  beforeEach(async () => {
    place = await makePlace()
  })
  afterEach(() => place.remove())

  const tokenFile = (): string => path.join(place.dataDir, "local-token")
  const fromFile = async (): Promise<string> => (await readFile(tokenFile(), "utf8")).trim()

  it("registers the directory and prints what to paste, with the token's path and never its value", async () => {
    await using server = await startProcess({ place })
    const token = await fromFile()
    const stdout = server.stdout()
    expect(stdout).toContain(`Holdfast serves Project demo at ${server.url}`)
    for (const address of ["/openapi.json", "/openapi/gpt-actions.json", "/mcp"]) {
      expect(stdout).toContain(`${server.url}${address}\n`)
    }
    expect(stdout).toContain(tokenFile())
    expect(`${stdout}${server.stderr()}`).not.toContain(token)
    const answer = JSON.parse(await (await call(server, token)).text())
    expect(answer.output.projects.map(({ project }: { project: string }) => project)).toEqual(["demo"])
  })

  it("prints the public addresses when public_url is set, and the loopback one to try", async () => {
    await using server = await startProcess({ place, args: ["--public-url", "https://h.example"] })
    expect(server.stdout()).toContain("https://h.example/openapi/gpt-actions.json\n")
    expect(server.stdout()).toContain("https://h.example/mcp\n")
    expect(server.stdout()).toContain(`curl -s ${server.url}/tools/list_projects`)
    expect((await call(server, await fromFile())).status).toBe(200)
  })

  it("K26: the first start makes the token file, 0600; the second keeps it; the store has only its hash", async () => {
    const tokens: string[] = []
    for (const _ of [1, 2]) {
      await using server = await startProcess({ place })
      tokens.push(await fromFile())
      expect((await call(server, await fromFile())).status).toBe(200)
      expect(`${server.stdout()}${server.stderr()}`).not.toContain(tokens[0])
      server.child.kill("SIGTERM")
      expect(await server.exited).toBe(0)
    }
    expect(tokens[1]).toBe(tokens[0])
    expect((await stat(tokenFile())).mode & 0o777).toBe(0o600)
    const names = (await readdir(place.dataDir)).filter((name) => name.startsWith("holdfast.db"))
    const bytes = Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(place.dataDir, name)))))
    expect(bytes.includes(tokens[0]!)).toBe(false)
    expect(bytes.includes(hashSecret(tokens[0]!))).toBe(true)
    expect(hashSecret(`hfp_${"A".repeat(43)}`)).toBe("754880885434a08db7fa464a7f1e2c6dd76fcf39d6192c72fa974a448b80521e")
  })

  it("K27: a token file that others can read stops the start with exit code 2", async () => {
    await stopped(await startProcess({ place }))
    await chmod(tokenFile(), 0o644)
    const end = await runHoldfast(place, ["serve", "--port", "0"])
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain("chmod 600")
  })

  it("a pipe or a link in place of the token file stops the start with exit code 2", async () => {
    await mkdir(place.dataDir, { mode: 0o700 })
    const file = path.join(place.dataDir, "local-token")
    execFileSync("mkfifo", ["-m", "600", file])
    for (const put of [() => undefined, () => symlink(place.root, file)]) {
      await put()
      const end = await runHoldfast(place, ["serve", "--port", "0"])
      expect(end).toMatchObject({ code: 2, stdout: "" })
      expect(end.stderr).toMatch(oneSentence)
      expect(end.stderr).toContain("is not a regular file")
      await rm(file)
    }
  })

  it("K27: a token file deleted while the server is down is made anew and the old token is revoked", async () => {
    await stopped(await startProcess({ place }))
    const old = await fromFile()
    await rm(tokenFile())
    await using server = await startProcess({ place })
    expect(await fromFile()).not.toBe(old)
    expect((await call(server, await fromFile())).status).toBe(200)
    const refused = await call(server, old)
    expect(refused.status).toBe(401)
    expect(JSON.parse(await refused.text()).error).toMatchObject({
      kind: "unauthenticated",
      details: { reason: "revoked" },
    })
  })

  it("K16: an unknown authority mode ends with exit code 2 before a port is open", async () => {
    const port = await freePort()
    const end = await runHoldfast(place, ["serve", "--port", String(port)], {
      env: { HOLDFAST_AUTHORITY_MODE: "yolo" },
    })
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain("HOLDFAST_AUTHORITY_MODE")
    expect(existsSync(place.dataDir)).toBe(false)
  })

  it("K41: an unknown key in the file ends with exit code 2; a flag wins over environment and file", async () => {
    const file = path.join(place.home, "config.json")
    await writeFile(file, '{"authoritymode":"restricted"}')
    const end = await runHoldfast(place, ["serve", "--port", "0", "--config", file])
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain("authoritymode")
    await writeFile(file, '{"port":1}')
    await using server = await startProcess({ place, args: ["--config", file], env: { HOLDFAST_PORT: "2" } })
    expect(server.port).toBeGreaterThan(2)
  })

  it.each([
    { args: ["--host", "0.0.0.0"], key: "host" },
    { args: ["--public-url", "http://h.example"], key: "public-url" },
    { args: ["--public-url", "https://h.example/x"], key: "public-url" },
  ])("D29: $args ends with exit code 2 and one sentence", async ({ args, key }) => {
    const end = await runHoldfast(place, ["serve", "--port", "0", ...args])
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain(key)
  })

  it("a taken port ends with exit code 1 and is named", async () => {
    await using server = await startProcess({ place })
    const end = await runHoldfast(place, ["serve", "--port", String(server.port)])
    expect(end).toMatchObject({ code: 1, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain(String(server.port))
  })

  const notServed = ["serve", "mcp"].flatMap((command) => [
    {
      command,
      name: "a directory that is not there",
      dir: "nowhere",
      says: "is not there. Name a directory that exists",
    },
    { command, name: "a file", dir: "notes.txt", says: "is not a directory. Name a directory that exists" },
    { command, name: "the root of the machine", dir: "/", says: "/ cannot be served. Name a directory" },
    { command, name: "one above the data directory", dir: "..", says: "cannot be served. Name a directory" },
  ])
  it.each(notServed)(
    "$command: $name is refused in words of the command line, and nothing is written",
    async (refused) => {
      const end = await runHoldfast(place, [refused.command, refused.dir])
      expect(end).toMatchObject({ code: 1, stdout: "" })
      expect(end.stderr).toMatch(oneSentence)
      expect(end.stderr).toContain(refused.says)
      expect(existsSync(place.dataDir)).toBe(false)
    },
  )

  it("a data directory below the served one, or a Project of the file that is not there, is refused before it is made", async () => {
    const below = path.join(place.root, ".hf")
    const file = path.join(place.home, "config.json")
    await writeFile(file, JSON.stringify({ projects: [{ path: path.join(place.home, "gone") }] }))
    for (const args of [
      ["--data-dir", below],
      ["--data-dir", path.join(place.home, "new"), "--config", file],
    ]) {
      const end = await runHoldfast(place, ["serve", "--port", "0", ...args])
      expect(end).toMatchObject({ code: 1, stdout: "" })
      expect(end.stderr).toMatch(oneSentence)
      expect(existsSync(args[1] ?? "")).toBe(false)
    }
  })

  it("a data directory that cannot be used is exit code 1", async () => {
    const file = path.join(place.home, "a-file")
    await writeFile(file, "x")
    await chmod(place.home, 0o755)
    for (const HOLDFAST_DATA_DIR of [file, path.join(file, "below"), place.home]) {
      const end = await runHoldfast(place, ["serve", "--port", "0"], { env: { HOLDFAST_DATA_DIR } })
      expect(end, HOLDFAST_DATA_DIR).toMatchObject({ code: 1, stdout: "" })
      expect(end.stderr).toMatch(oneSentence)
    }
  })

  it.each(["SIGINT", "SIGTERM"] as const)("%s ends it with exit code 0 within 10 s", async (signal) => {
    await using server = await startProcess({ place })
    const started = Date.now()
    server.child.kill(signal)
    expect(await server.exited).toBe(0)
    expect(Date.now() - started).toBeLessThan(10_000)
  })

  it("a signal during the start closes what was started, exit code 0", async () => {
    const bin = await ensureBuild()
    const env = { ...place.env, HOLDFAST_DATA_DIR: place.dataDir }
    const child = spawn(process.execPath, [bin, "serve", "--port", "0"], { cwd: place.root, env, stdio: "ignore" })
    const exited = new Promise((resolve) => child.on("exit", (code, signal) => resolve(code ?? signal)))
    // The database's file is there before the door is.
    while (!existsSync(path.join(place.dataDir, "holdfast.db"))) await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill("SIGTERM")
    expect(await exited).toBe(0)
  })

  it("a shutdown hands a running command over; its last log line names the Job", async () => {
    await using server = await startProcess({ place })
    const pending = call(server, await fromFile(), "run_shell", { project: "demo", command: "sleep 20" })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    server.child.kill("SIGTERM")
    const { output } = JSON.parse(await (await pending).text())
    expect(await server.exited).toBe(0)
    const last = JSON.parse(server.stderr().trim().split("\n").at(-1) ?? "")
    expect(last).toMatchObject({ level: "info", jobs: output.job_id })
  })

  it("a second signal during a shutdown ends it at once with exit code 1", async () => {
    await using server = await startProcess({ place, args: ["--processes-on-shutdown", "end"] })
    // Half a second passes before a command that ignores the polite signal is killed.
    const command = "trap '' TERM; for i in $(seq 100); do sleep 0.1; done"
    const pending = call(server, await fromFile(), "run_shell", { project: "demo", command }).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    server.child.kill("SIGTERM")
    server.child.kill("SIGINT")
    expect(await server.exited).toBe(1)
    await pending
  })
})

async function stopped(server: ServerProcess): Promise<void> {
  server.child.kill("SIGTERM")
  await server.exited
}

function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
}
