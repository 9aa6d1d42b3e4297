import { LocalGit } from "../../adapters/runners/local/git/git.ts"
import { gitContract, type OpenGit } from "./git.ts"
import { plainEnvironment } from "./runner-fixture.ts"

const open: OpenGit = ({ fs, policyOf, home }, environment = {}) =>
  new LocalGit({ fs, policyOf, environment: { ...plainEnvironment(home), ...environment } })

gitContract("local", open)
gitContract("local", open, "checked")
