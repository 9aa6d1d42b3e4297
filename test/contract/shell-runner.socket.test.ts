import type { ShellsUnderTest } from "./shell-fixture.ts"
import { shellRunnerContract } from "./shell-runner.ts"
import { openSocketHost } from "./socket-host.ts"

async function openSocket(): Promise<ShellsUnderTest> {
  const host = await openSocketHost({ ...process.env, SERVER_SECRET: "nobody sees this" })
  return { jobs: host.carrier.jobs, shells: host.carrier.shells, root: host.root, close: () => host.close() }
}

shellRunnerContract("host behind a socket", openSocket)
