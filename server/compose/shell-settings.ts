import { realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import type { ShellSettings } from "../../core/shells/settings.ts"
import { readFence } from "../config/fence-file.ts"
import type { Config } from "../config/keys.ts"

/** Bounds and defaults of live shells, as they are configured (spec shells.md §3, §5.5). */
export function shellSettings(config: Config): ShellSettings {
  return {
    maxFree: config.max_free_shells,
    maxBound: config.max_bound_shells,
    idleTtlMs: config.shell_idle_ttl_ms,
    backgroundTtlMs: config.shell_background_ttl_ms,
    execTimeoutSecs: config.exec_timeout_secs,
    temporaryRoots: [realpathSync(tmpdir())],
    fence: readFence(config.fence_file),
    resources: new Map(
      config.ssh_resources.map(({ name, host, default_cwd: defaultCwd }) => [
        name,
        { host, ...(defaultCwd === undefined ? {} : { defaultCwd }) },
      ]),
    ),
  }
}
