import { execFileSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import path from "node:path"
import process from "node:process"
import type { Command } from "commander"
import { storedConflicts } from "../../adapters/runners/local/files/conflicts.ts"
import { openStore } from "../../adapters/storage/index.ts"
import { secretsFromEnvironment } from "../../core/kernel/redaction/environment.ts"
import { composeRegistry } from "../compose/registry.ts"
import { requireServable } from "../compose/require-servable.ts"
import { readFence } from "../config/fence-file.ts"
import { loadConfig } from "../config/load-config.ts"
import { readLegalFile } from "../legal/legal-file.ts"
import { VERSION } from "../version.ts"
import { dataDirOf } from "./data-directory.ts"
import { explainFailure } from "./exit-codes.ts"
import { show, type Terminal, table } from "./terminal.ts"

/** One thing that was looked at; a `fail` makes the command exit 1. */
interface Finding {
  readonly subject: string
  readonly state: "ok" | "warn" | "fail"
  readonly detail: string
}

interface DoctorFlags {
  readonly json?: boolean
  readonly dataDir?: string
  readonly config?: string
}

const MAX_NAMED = 8

/** `holdfast doctor`: looks at what Holdfast needs on this machine and says what to mend. */
export function addDoctorCommand(program: Command, terminal: Terminal, fail: () => void): void {
  program
    .command("doctor")
    .description("check this machine and the data directory")
    .option("--json", "print JSON")
    .option("--config <path>", "configuration file; default <data directory>/config.json")
    .option(
      "--data-dir <path>",
      "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
    )
    .action(async ({ dataDir, json, config }: DoctorFlags) => {
      const directory = dataDirOf(terminal, dataDir)
      const findings = [
        { subject: "holdfast", state: "ok", detail: VERSION } as const,
        { subject: "node", state: "ok", detail: process.versions.node } as const,
        lookFor("git", ["--version"], "install git 2.34 or newer: git tools need it"),
        lookFor("bash", ["--version"], "install bash: run_shell falls back to sh without it"),
        confinement(),
        containment(terminal),
        exposedSecrets(terminal),
        await configuration(terminal, directory, config),
        ...(await dataDirectory(terminal, directory)),
        interruptedEdits(directory),
      ]
      if (findings.some(({ state }) => state === "fail")) fail()
      show(terminal, json, { findings }, () =>
        table(
          ["", "", ""],
          findings.map(({ subject, state, detail }) => [state, subject, detail]),
        ).trimStart(),
      )
    })
}

function lookFor(name: string, args: readonly string[], advice: string): Finding {
  try {
    const [line = ""] = execFileSync(name, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n")
    return { subject: name, state: "ok", detail: line }
  } catch {
    return { subject: name, state: "warn", detail: `not found; ${advice}` }
  }
}

function confinement(): Finding {
  return existsSync("/proc/self/fd")
    ? { subject: "path confinement", state: "ok", detail: "anchored: paths are opened below a held root directory" }
    : {
        subject: "path confinement",
        state: "warn",
        detail: "checked: without /proc a swap between check and use is possible",
      }
}

/** Where the end of the server ends its children too (spec shells.md §2.1). */
function containment(terminal: Terminal): Finding {
  const subject = "commands after a restart"
  if (terminal.env["INVOCATION_ID"] !== undefined) {
    return {
      subject,
      state: "warn",
      detail: "in a systemd unit: set KillMode=process, or stopping it ends running commands",
    }
  }
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv")) {
    return { subject, state: "warn", detail: "in a container: running commands end with it" }
  }
  return { subject, state: "ok", detail: "running commands may outlive the server" }
}

/** Children never get the server's environment, but one of the same user can read it in `/proc` (spec shells.md §7). */
function exposedSecrets(terminal: Terminal): Finding {
  const subject = "secrets"
  const names = secretsFromEnvironment(terminal.env).map(({ name }) => name)
  if (names.length === 0) return { subject, state: "ok", detail: "none stands in this environment" }
  const named = `${names.slice(0, MAX_NAMED).join(", ")}${names.length > MAX_NAMED ? ", …" : ""}`
  const detail = `a command can read the environment of a server of the same user, here ${named}: keep secrets in files of mode 0600`
  return { subject, state: "warn", detail }
}

/** Edits that a crash left half done and that could not be undone (spec files-and-git.md §4.4). */
function interruptedEdits(directory: string): Finding {
  const subject = "interrupted edits"
  const [first, ...others] = storedConflicts(directory)
  if (first === undefined) return { subject, state: "ok", detail: "none is left half done" }
  const more = others.length === 0 ? "" : `; ${others.length} more like it`
  const { root, journal, originals, paths } = first
  const named = `${paths.slice(0, MAX_NAMED).join(", ")}${paths.length > MAX_NAMED ? ", …" : ""}`
  const detail = `${named} in ${root} were changed meanwhile: compare them with the originals in ${originals}, then remove ${journal}${more}`
  return { subject, state: "warn", detail }
}

/** As a server reads it, with the files that it names: what a start would refuse is to be mended (spec kernel.md §14). */
async function configuration(terminal: Terminal, dataDir: string, file: string | undefined): Promise<Finding> {
  const subject = "configuration"
  const { env } = terminal
  try {
    const { config } = loadConfig({ flags: {}, env, dataDir, ...(file === undefined ? {} : { file }) })
    composeRegistry(config)
    readFence(config.fence_file)
    if (config.legal_file !== undefined) await readLegalFile(config.legal_file)
    await requireServable({ dataDir, env, config })
    return { subject, state: "ok", detail: "a server can start with it" }
  } catch (error) {
    const sentence = explainFailure(error)?.sentence
    if (sentence === undefined) throw error
    return { subject, state: "fail", detail: sentence }
  }
}

async function dataDirectory(terminal: Terminal, directory: string): Promise<readonly Finding[]> {
  if (!existsSync(directory)) {
    return [
      { subject: "data directory", state: "ok", detail: `${directory} does not exist yet; the first start makes it` },
    ]
  }
  const findings: Finding[] = []
  try {
    const store = await openStore({ dataDir: directory, env: terminal.env })
    const { schemaVersion, sizeBytes } = await store.facts()
    await store.close()
    findings.push({
      subject: "data directory",
      state: "ok",
      detail: `${directory}, schema ${schemaVersion}, ${sizeBytes} bytes`,
    })
  } catch (error) {
    const sentence = explainFailure(error)?.sentence
    if (sentence === undefined) throw error
    findings.push({ subject: "data directory", state: "fail", detail: sentence })
  }
  const token = path.join(directory, "local-token")
  if (existsSync(token)) {
    const open = (statSync(token).mode & 0o077) !== 0
    const detail = open ? `${token} can be read by others; run chmod 600 on it` : `${token}, for its owner alone`
    findings.push({ subject: "local token", state: open ? "fail" : "ok", detail })
  }
  return findings
}
