import { LocalGit } from "../../adapters/runners/local/git/git.ts"
import { gitContract } from "./git.ts"
import { plainEnvironment } from "./runner-fixture.ts"

gitContract(
  "local",
  ({ fs, policyOf, home }, environment = {}) =>
    new LocalGit({ fs, policyOf, environment: { ...plainEnvironment(home), ...environment } }),
)
