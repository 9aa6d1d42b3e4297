import { jobRunnerContract, type RunnerUnderTest } from "./job-runner.ts"
import { openSocketHost } from "./socket-host.ts"

async function openSocket(): Promise<RunnerUnderTest> {
  const host = await openSocketHost({ ...process.env, SERVER_SECRET: "nobody sees this" })
  return { runner: host.carrier.jobs, root: host.root, close: () => host.close() }
}

jobRunnerContract("host behind a socket", openSocket)
