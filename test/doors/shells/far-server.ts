import { execFileSync } from "node:child_process"
import { chmod, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startSshd, type TestSshd } from "../../contract/remote-sshd.ts"
import { makePlace, type Place } from "../../support/place.ts"
import type { ToolAnswer } from "../../support/server.ts"
import { type ServerProcess, startProcess } from "../../support/server-process.ts"

/** `holdfast serve` with its Runner host in a process of its own, beside a real sshd that it knows as the resource `box`. */
export interface FarServer {
  readonly sshd: TestSshd
  readonly server: ServerProcess
  readonly place: Place
  /** The ToolResult of one call through HTTP. */
  call(tool: string, input?: object): Promise<ToolAnswer>
  /** A new Session in `demo` whose commands run on `box`. */
  farSession(): Promise<string>
  /** The user's ssh configuration says from now on that `box` is somewhere else. */
  moveBox(): Promise<void>
  /** Another server on the same data directory takes its place. */
  serveAgain(): Promise<void>
  close(): Promise<void>
}

/** Starts both. The configuration of ssh is the test's own, whoever runs it. */
export async function startFarServer(): Promise<FarServer> {
  const sshd = await startSshd()
  const place = await makePlace()
  const programs = join(place.home, "bin")
  const config = join(place.home, "ssh_config")
  await mkdir(programs)
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 })
  const client = execFileSync("/bin/sh", ["-c", "command -v ssh"], { encoding: "utf8" }).trim()
  await writeFile(join(programs, "ssh"), `#!/bin/sh\nexec ${client} -F ${config} "$@"\n`)
  await chmod(join(programs, "ssh"), 0o755)
  await writeFile(config, sshConfig(sshd, place, sshd.user))
  const entries = [{ name: "box", host: "hfbox", default_cwd: "/usr" }]
  await writeFile(
    join(place.dataDir, "config.json"),
    JSON.stringify({ ssh_resources: entries, ssh_key_dir: sshd.keyDirectory }),
    { mode: 0o600 },
  )
  const serve = (): Promise<ServerProcess> =>
    startProcess({ place, env: { PATH: `${programs}:${place.env.PATH ?? ""}`, HOLDFAST_RUNNER_LINGER_MS: "1000" } })
  let server = await serve()
  const call: FarServer["call"] = async (tool, input = {}) => {
    const reply = await fetch(`${server.url}/tools/${tool}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
      body: JSON.stringify(input),
    })
    return JSON.parse(await reply.text())
  }
  const sessions: string[] = []
  /** A server that ends leaves shells elsewhere to themselves. */
  async function closeShells(): Promise<void> {
    const { output } = await call("session_list")
    const free: { readonly session_id: string }[] = JSON.parse(JSON.stringify(output.sessions))
    for (const { session_id } of free) await call("session_destroy", { session_id })
    for (const session_id of sessions) await call("close_session", { project: "demo", session_id })
  }
  return {
    sshd,
    place,
    get server() {
      return server
    },
    call,
    async farSession() {
      const { output } = await call("start_session", { project: "demo", execution_context: { resource: "box" } })
      const session = String(output.session_id)
      sessions.push(session)
      return session
    },
    moveBox: () => writeFile(config, sshConfig(sshd, place, "somebody-else")),
    async serveAgain() {
      server.child.kill("SIGKILL")
      await server.exited
      server = await serve()
    },
    async close() {
      await closeShells()
      server.child.kill("SIGTERM")
      await server.exited
      await place.remove()
      await sshd.close()
      await rm(config, { force: true })
    },
  }
}

function sshConfig(sshd: TestSshd, place: Place, user: string): string {
  return [
    `UserKnownHostsFile ${join(place.home, "known_by_user")}`,
    "Host hfbox",
    "  HostName 127.0.0.1",
    `  Port ${sshd.port}`,
    `  User ${user}`,
    `  IdentityFile ${sshd.keyPath}`,
    "",
  ].join("\n")
}
