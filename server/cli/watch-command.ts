import type { Command } from "commander"
import { z } from "zod"
import { createLocalTokenFile } from "../../adapters/local-token/create-local-token-file.ts"
import { loadConfig } from "../config/load-config.ts"
import { localUrl } from "../config/local-url.ts"
import { isPublicOrigin } from "../config/origin.ts"
import { dataDirOf } from "./data-directory.ts"
import { parseInput } from "./parse-input.ts"
import type { Terminal } from "./terminal.ts"
import { whenUnread } from "./unread.ts"
import { type Started, untilStopped } from "./until-stopped.ts"
import { WatchRefused, watchServer } from "./watch/connection.ts"
import { linesView } from "./watch/lines-view.ts"
import { Named } from "./watch/named.ts"
import { screenView } from "./watch/screen.ts"
import type { Followed, WatchView } from "./watch/view.ts"
import type { WireEvent } from "./watch/wire-event.ts"

interface WatchFlags {
  readonly follow?: boolean
  readonly json?: boolean
  readonly url?: string
  readonly config?: string
  readonly dataDir?: string
}

const inputSchema = z.object({
  id: z.array(z.string().min(1).max(200)).max(64),
  // The local token goes there.
  url: z.string().refine(isPublicOrigin, "must be an https origin without path (http only on loopback)").optional(),
})

/** `holdfast watch [id…]`: what live shells and Jobs do right now (spec shells.md §13). */
export function addWatchCommand(program: Command, terminal: Terminal, fail: () => void): void {
  program
    .command("watch [id...]")
    .description("follow live shells and Jobs, or only those named")
    .option("-f, --follow", "print a line each, also on a terminal")
    .option("--json", "print a JSON object a line")
    .option("--url <origin>", "server to watch; default the address the configuration names")
    .option("--config <path>", "configuration file; default <data directory>/config.json")
    .option(
      "--data-dir <path>",
      "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
    )
    .action(async (named: readonly string[], flags: WatchFlags) => {
      const { id: ids } = parseInput(inputSchema, { id: named, url: flags.url })
      try {
        const server = await serverOf(terminal, flags)
        const start = async (): Promise<Started> => {
          const stop = new AbortController()
          whenUnread(terminal.stdout).addEventListener("abort", () => stop.abort())
          const view = viewFor(terminal, { flags, followed: { url: server.url, ids }, stop })
          const only = new Named(ids)
          const begun = (): Promise<void> => only.check(server)
          const events = watchServer({ ...server, signal: stop.signal, opened: view.opened, begun, note: view.note })
          const ended = view.show(onlyOf(events, only)).finally(() => stop.abort())
          return { close: async () => stop.abort(), ended }
        }
        await untilStopped(terminal, start, "")
      } catch (error) {
        if (!(error instanceof WatchRefused)) throw error
        terminal.stderr.write(`holdfast: ${error.message}\n`)
        fail()
      }
    })
}

async function serverOf(terminal: Terminal, { dataDir: flag, config: file, url }: WatchFlags) {
  const dataDir = dataDirOf(terminal, flag)
  const { config } = loadConfig({ flags: {}, env: terminal.env, dataDir, ...(file === undefined ? {} : { file }) })
  const token = await createLocalTokenFile(dataDir).read()
  if (token === undefined || typeof token === "string") {
    throw new WatchRefused(`There is no usable local token in ${dataDir}. Start a server there: holdfast serve.`)
  }
  return { url: url ?? localUrl(config.host, config.port), token: token.secret }
}

/** Events of what was named. */
async function* onlyOf(events: AsyncIterable<WireEvent>, named: Named): AsyncGenerator<WireEvent, void, undefined> {
  for await (const event of events) if (named.has(event)) yield event
}

function viewFor(
  terminal: Terminal,
  {
    flags,
    followed,
    stop,
  }: { readonly flags: WatchFlags; readonly followed: Followed; readonly stop: AbortController },
): WatchView {
  const asJson = flags.json === true
  if (!asJson && flags.follow !== true && terminal.stdout.isTTY === true)
    return screenView(terminal, { followed, stop })
  return linesView(terminal, { followed, asJson, signal: stop.signal })
}
