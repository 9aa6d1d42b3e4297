import type { Command } from "commander"
import { createLocalTokenFile } from "../../adapters/local-token/create-local-token-file.ts"
import {
  addUserSchema,
  createGrantSchema,
  createTokenSchema,
  listTokensSchema,
  revokeSchema,
  userNameSchema,
} from "../../core/access/account-inputs.ts"
import type { NewCredential } from "../../core/access/accounts.ts"
import type { CredentialView, UserView } from "../../core/access/credential-view.ts"
import { rotateLocalToken } from "../../core/access/local-token.ts"
import { SCOPE_BUNDLES, SCOPES } from "../../core/access/scopes.ts"
import { commaList, lifeSpan, lifeSpanOrNever } from "./config-flags.ts"
import { atDesk } from "./data-directory.ts"
import { parseInput } from "./parse-input.ts"
import { say, show, type Terminal, table } from "./terminal.ts"

const DATA_DIR = [
  "--data-dir <path>",
  "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
] as const
const JSON_FLAG = ["--json", "print JSON"] as const
const MODE_FLAG = [
  "--mode <mode>",
  "trusted_agent or restricted (denies what writes or runs); default the server's",
] as const
const SCOPE_HELP = `
Scopes: ${SCOPES.join(", ")}
Bundle agent: ${SCOPE_BUNDLES.agent.join(", ")}
Bundle grant: ${SCOPE_BUNDLES.grant.join(", ")}`

interface Common {
  readonly dataDir?: string
  readonly json?: boolean
}

interface Limits extends Common {
  readonly scopes?: readonly string[]
  readonly projects?: readonly string[]
  readonly mode?: string
  readonly expires?: number | "never"
  readonly name: string
}

/** `holdfast user add|list|disable` (spec kernel.md §2.2). */
export function addUserCommands(program: Command, terminal: Terminal): void {
  const user = program.command("user").description("named users, each with tokens of their own")
  user
    .command("add <name>")
    .description("add a user; a name is never given out twice")
    .option("--scopes <list>", "comma-separated scopes; default the agent bundle", commaList)
    .option("--projects <list>", "comma-separated registered Projects, or *; default *", commaList)
    .option(...DATA_DIR)
    .addHelpText("after", SCOPE_HELP)
    .action(async (name: string, { dataDir, scopes, projects }: Omit<Limits, "name">) => {
      const input = parseInput(addUserSchema, { name, scopes, projects })
      await atDesk(terminal, dataDir, async ({ accounts }) => {
        const added = await accounts.addUser(input)
        say(
          terminal,
          `Added user ${added.user.name}. Next: holdfast token create --user ${added.user.name} --name LABEL`,
        )
      })
    })
  user
    .command("list")
    .description("list users")
    .option(...JSON_FLAG)
    .option(...DATA_DIR)
    .action(async ({ dataDir, json }: Common) => {
      const { users } = await atDesk(terminal, dataDir, ({ accounts }) => accounts.listUsers())
      const rows = users.map((each) => [
        each.name,
        each.disabled_at === undefined ? "active" : "disabled",
        each.projects.join(","),
        each.scopes.join(","),
      ])
      show(terminal, json, { users }, () => table(["NAME", "STATE", "PROJECTS", "SCOPES"], rows))
    })
  user
    .command("disable <name>")
    .description("disable a user; their tokens stop with the next call")
    .option(...DATA_DIR)
    .action(async (name: string, { dataDir }: Common) => {
      const input = parseInput(userNameSchema, { name })
      const { already_disabled } = await atDesk(terminal, dataDir, ({ accounts }) => accounts.disableUser(input))
      say(terminal, already_disabled ? `User ${name} was disabled already.` : `Disabled user ${name}.`)
    })
}

/** `holdfast token create|list|revoke|rotate-local` (spec kernel.md §2.2). */
export function addTokenCommands(program: Command, terminal: Terminal): void {
  const token = program.command("token").description("tokens of users, and the local token")
  token
    .command("create")
    .description("make a token for a user and show it once")
    .requiredOption("--user <name>", "whose token (required)")
    .requiredOption("--name <label>", "what you will recognise it by (required)")
    .option("--scopes <list>", "comma-separated scopes, at most the user's; default the agent bundle", commaList)
    .option("--projects <list>", "comma-separated registered Projects; default all of the user's", commaList)
    .option(...MODE_FLAG)
    .option("--expires <span>", "1h to 3650d, such as 12h or 90d, or never; default 90d", lifeSpanOrNever)
    .addHelpText("after", SCOPE_HELP)
    .option(...JSON_FLAG)
    .option(...DATA_DIR)
    .action(async ({ dataDir, json, expires, user, ...rest }: Limits & { readonly user: string }) => {
      const { name, scopes, projects, mode } = rest
      const input = parseInput(createTokenSchema, { user, name, scopes, projects, mode, ...lifeOf(expires) })
      const made = await atDesk(terminal, dataDir, ({ accounts }) => accounts.createToken(input))
      showNew(terminal, made, json)
    })
  token
    .command("list")
    .description("list tokens; secrets are kept nowhere")
    .option("--user <name>", "only this user's")
    .option(...JSON_FLAG)
    .option(...DATA_DIR)
    .action(async ({ dataDir, json, user }: Common & { readonly user?: string }) => {
      const input = parseInput(listTokensSchema, { user })
      await atDesk(terminal, dataDir, async ({ accounts, clock }) => {
        const { credentials } = await accounts.listTokens(input)
        const { users } = await accounts.listUsers()
        showList(terminal, { credentials, users, now: clock.now() }, json)
      })
    })
  addRevoke(token, terminal, "revokeToken")
  token
    .command("rotate-local")
    .description("replace the local token and its file")
    .option(...DATA_DIR)
    .action(async ({ dataDir }: Common) => {
      await atDesk(terminal, dataDir, async (desk) => {
        const file = createLocalTokenFile(desk.dataDir)
        await rotateLocalToken({ ...desk, file })
        say(terminal, `The local token was replaced; the new one is in ${file.path}.`)
      })
    })
}

/** `holdfast grant create|list|revoke`: capabilities for listed Projects (spec kernel.md §2.2). */
export function addGrantCommands(program: Command, terminal: Terminal): void {
  const grant = program.command("grant").description("project grants: tokens for listed Projects, never without end")
  grant
    .command("create")
    .description("make a project grant and show its token once")
    .requiredOption("--projects <list>", "comma-separated registered Projects (required)", commaList)
    .requiredOption("--name <label>", "what you will recognise it by (required)")
    .option("--scopes <list>", "comma-separated scopes; default the grant bundle", commaList)
    .option(...MODE_FLAG)
    .option("--expires <span>", "1h to 3650d, such as 12h or 30d; default 30d", lifeSpan)
    .addHelpText("after", SCOPE_HELP)
    .option(...JSON_FLAG)
    .option(...DATA_DIR)
    .action(async ({ dataDir, json, expires, ...rest }: Limits) => {
      const { name, scopes, projects, mode } = rest
      const input = parseInput(createGrantSchema, { name, scopes, projects, mode, ...lifeOf(expires) })
      const made = await atDesk(terminal, dataDir, ({ accounts }) => accounts.createGrant(input))
      showNew(terminal, made, json)
    })
  grant
    .command("list")
    .description("list project grants")
    .option(...JSON_FLAG)
    .option(...DATA_DIR)
    .action(async ({ dataDir, json }: Common) => {
      await atDesk(terminal, dataDir, async ({ accounts, clock }) => {
        const { credentials } = await accounts.listGrants()
        showList(terminal, { credentials, users: [], now: clock.now() }, json)
      })
    })
  addRevoke(grant, terminal, "revokeGrant")
}

function addRevoke(command: Command, terminal: Terminal, method: "revokeToken" | "revokeGrant"): void {
  command
    .command("revoke <id>")
    .description("revoke by id; holds for the next call in every process")
    .option("--reason <text>", "shown in lists")
    .option(...DATA_DIR)
    .action(async (id: string, { dataDir, reason }: Common & { readonly reason?: string }) => {
      const input = parseInput(revokeSchema, { id, reason })
      const { already_revoked } = await atDesk(terminal, dataDir, ({ accounts }) => accounts[method](input))
      say(terminal, already_revoked ? `${id} was revoked already.` : `Revoked ${id}.`)
    })
}

function lifeOf(expires: number | "never" | undefined): object {
  if (expires === undefined) return {}
  return expires === "never" ? { never: true } : { expires_in_secs: expires }
}

function showNew(terminal: Terminal, made: NewCredential, json: boolean | undefined): void {
  if (json === true) {
    say(terminal, JSON.stringify(made, null, 2))
    return
  }
  terminal.stderr.write(`Made ${made.credential.id}. The token is shown this once and kept nowhere:\n`)
  say(terminal, made.token)
}

interface Listed {
  readonly credentials: readonly CredentialView[]
  /** Owners of the tokens among them. */
  readonly users: readonly UserView[]
  readonly now: number
}

/** Whether a token opens anything now, in the order in which a call is refused (spec kernel.md §2.2). */
function stateOf(credential: CredentialView, { users, now }: Listed): string {
  if (credential.revoked_at !== undefined) return "revoked"
  if (credential.expires_at !== undefined && now >= credential.expires_at) return "expired"
  const owner = users.find(({ name }) => credential.principal_id === `user:${name}`)
  return owner?.disabled_at === undefined ? "live" : "user disabled"
}

function showList(terminal: Terminal, listed: Listed, json: boolean | undefined): void {
  const { credentials } = listed
  const day = (ms: number | undefined): string => (ms === undefined ? "never" : new Date(ms).toISOString().slice(0, 10))
  const rows = credentials.map((each) => [
    each.id,
    each.principal_id,
    each.name,
    `…${each.hint}`,
    stateOf(each, listed),
    day(each.expires_at),
    day(each.last_used_at),
  ])
  const headings = ["ID", "PRINCIPAL", "NAME", "TOKEN", "STATE", "EXPIRES", "LAST USED"]
  show(terminal, json, { credentials }, () => table(headings, rows))
}
