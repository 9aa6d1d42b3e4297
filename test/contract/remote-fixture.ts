import { mkdtemp, realpath, rm } from "node:fs/promises"
import { join } from "node:path"
import { createJobHost } from "../../adapters/runners/local/host/host.ts"
import type { RemoteSettings } from "../../adapters/runners/local/shells/remote/settings.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import type { Reach } from "../../core/shells/runner.ts"
import type { TestSshd } from "./remote-sshd.ts"
import { ids, type ShellsUnderTest } from "./shell-fixture.ts"

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
  return {
    jobs: host,
    shells: host.shells,
    root,
    dataDirectory,
    async close() {
      await host.close("end")
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
