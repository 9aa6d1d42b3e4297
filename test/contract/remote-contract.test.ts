import { afterAll, beforeAll, describe } from "vitest"
import { openRemoteHost, type RemoteUnderTest, reachOf, settingsFor } from "./remote-fixture.ts"
import { startSshd, type TestSshd } from "./remote-sshd.ts"
import { shellEndCases } from "./shell-cases-ends.ts"
import { shellHostileCases } from "./shell-cases-hostile.ts"
import { shellStopCases } from "./shell-cases-stop.ts"
import type { ShellsUnderTest } from "./shell-fixture.ts"

/**
 * The parts of the contract for which a far shell has construction of its own: ends, stops, hostile states. Each case has a shell of its
 * own and mostly waits, so that several run at a time.
 */
describe.concurrent("shell runner over a real sshd", () => {
  let sshd: TestSshd
  let host: RemoteUnderTest
  let test: ShellsUnderTest

  beforeAll(async () => {
    sshd = await startSshd()
    host = await openRemoteHost(settingsFor(sshd))
    test = { ...host, shells: { ...host.shells, open: (spec) => host.shells.open({ ...spec, reach: reachOf(sshd) }) } }
  })

  afterAll(async () => {
    await host.close()
    await sshd.close()
  }, 60_000)

  shellEndCases(() => test)
  shellStopCases(() => test)
  shellHostileCases(() => test)
})
