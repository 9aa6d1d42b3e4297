import type { RemoteSettings } from "../../adapters/runners/local/index.ts"
import type { Config } from "../config/keys.ts"

/** What the operator says about shells elsewhere (spec shells.md §9); the agent is that of whoever starts the host. */
export function remoteSettings(config: Config, env: Readonly<Record<string, string | undefined>>): RemoteSettings {
  const agent = env["SSH_AUTH_SOCK"]
  return {
    sshFirstUse: config.ssh_first_use,
    ...(config.ssh_key_dir === undefined ? {} : { sshKeyDirectory: config.ssh_key_dir }),
    ...(agent === undefined ? {} : { sshAgentSocket: agent }),
    ...(config.container_engine === undefined ? {} : { containerEngine: config.container_engine }),
  }
}
