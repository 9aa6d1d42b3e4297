import { existsSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { join } from "node:path"
import { createJobHost } from "../../adapters/runners/local/host/host.ts"
import type { RemoteSettings } from "../../adapters/runners/local/shells/remote/settings.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import type { Reach } from "../../core/shells/runner.ts"
import type { TestSshd } from "./remote-sshd.ts"
import { ids, type ShellsUnderTest, sleepMs } from "./shell-fixture.ts"

/** A host whose shells can be elsewhere, and its data directory. */
export interface RemoteUnderTest extends ShellsUnderTest {
  readonly dataDirectory: string
}

/** Opens one in a short directory: sockets have short paths. */
export async function openRemoteHost(
  settings: RemoteSettings,
  environment: Readonly<Record<string, string>> = {},
): Promise<RemoteUnderTest> {
  const home = await realpath(await mkdtemp("/tmp/hf-far-"))
  const root = await mkdtemp(join(home, "root-"))
  const dataDirectory = join(home, "data")
  const host = createJobHost({
    hostId: ids.instance(),
    dataDirectory,
    runtimeDirectory: join(home, "run"),
    environment: { server: { ...process.env, ...environment } },
    mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
    remote: settings,
    now: Date.now,
  })
  const opened: string[] = []
  return {
    jobs: host,
    shells: {
      ...host.shells,
      open(spec) {
        opened.push(spec.shellUid)
        return host.shells.open(spec)
      },
    },
    root,
    dataDirectory,
    async close() {
      await host.close("end")
      await cleared(opened.map((uid) => `/tmp/.hf-${uid}`))
      // What a target still tells comes after the close, which waits for no target.
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 })
    },
  }
}

/** The test server as a shell reaches it. */
export const reachOf = (sshd: TestSshd): Extract<Reach, { readonly kind: "ssh" }> => ({
  kind: "ssh",
  host: "127.0.0.1",
  port: sshd.port,
  user: sshd.user,
  auth: { keyPath: sshd.keyPath },
})

/** No configuration of the machine, and keys only from the test server's folder. */
export const settingsFor = (sshd: TestSshd): RemoteSettings => ({
  sshConfigFile: "none",
  sshKeyDirectory: sshd.keyDirectory,
})

/** A close waits for no target, which here is this machine: what is left there goes soon after. */
async function cleared(directories: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 100 && directories.some((path) => existsSync(path)); tries += 1) await sleepMs(100)
  for (const path of directories) await rm(path, { recursive: true, force: true })
}
