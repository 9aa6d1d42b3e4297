import { afterEach, beforeEach, describe } from "vitest"
import { shellEndCases } from "./shell-cases-ends.ts"
import { shellHostileCases } from "./shell-cases-hostile.ts"
import { shellInvariantCases } from "./shell-cases-invariants.ts"
import { shellLifeCases } from "./shell-cases-life.ts"
import { shellOutputCases } from "./shell-cases-output.ts"
import { shellStopCases } from "./shell-cases-stop.ts"
import { shellTextCases } from "./shell-cases-text.ts"
import type { ShellsUnderTest } from "./shell-fixture.ts"

/** What every ShellRunner promises (spec shells.md §2.2, §5, §17). */
export function shellRunnerContract(name: string, open: () => Promise<ShellsUnderTest>): void {
  describe(`shell runner: ${name}`, () => {
    let current: ShellsUnderTest
    beforeEach(async () => {
      current = await open()
    })
    afterEach(async () => {
      await current.close()
    })
    const test = (): ShellsUnderTest => current
    shellTextCases(test)
    shellOutputCases(test)
    shellStopCases(test)
    shellEndCases(test)
    shellHostileCases(test)
    shellLifeCases(test)
    shellInvariantCases(test)
  })
}
