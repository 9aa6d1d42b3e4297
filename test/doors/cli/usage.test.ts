import { afterAll, beforeAll, describe, expect, it } from "vitest"
import packageFile from "../../../package.json" with { type: "json" }
import { makePlace, type Place } from "../../support/place.ts"
import { oneSentence, runHoldfast, runInProcess } from "./run-holdfast.ts"

const COMMANDS: readonly (readonly string[])[] = [
  ["serve"],
  ["mcp"],
  ["user"],
  ["user", "add"],
  ["user", "list"],
  ["user", "disable"],
  ["token"],
  ["token", "create"],
  ["token", "list"],
  ["token", "revoke"],
  ["token", "rotate-local"],
  ["grant"],
  ["grant", "create"],
  ["grant", "list"],
  ["grant", "revoke"],
  ["doctor"],
  ["setup"],
]

describe("usage of the command line", () => {
  let place: Place
  beforeAll(async () => {
    place = await makePlace()
  })
  afterAll(() => place.remove())

  it.each([[], ...COMMANDS].map((command) => ({ command, name: ["holdfast", ...command].join(" ") })))(
    "$name --help explains itself and exits 0",
    async ({ command, name }) => {
      const end = await runInProcess(place, [...command, "--help"])
      expect(end).toMatchObject({ code: 0, stderr: "" })
      expect(end.stdout.startsWith(`Usage: ${name} `)).toBe(true)
    },
  )

  it("serve --help names the flag of every configuration key that may be one", async () => {
    const { stdout } = await runInProcess(place, ["serve", "--help"])
    for (const flag of ["--data-dir", "--config", "--port", "--public-url", "--allow-host", "--authority-mode"]) {
      expect(stdout).toContain(flag)
    }
    expect(stdout).not.toContain("--env-set")
    expect(stdout).not.toContain("--projects")
  })

  it("serve --help says which values a flag takes and which it has", async () => {
    const { stdout } = await runInProcess(place, ["serve", "--help"])
    const help = stdout.replaceAll(/\s+/g, " ")
    for (const text of [
      "Port to listen on; 0 chooses a free one and prints it (0 to 65535; default 4747)",
      "Whether writing and running tools run or are denied (trusted_agent or restricted; default trusted_agent)",
      "Tools that /mcp and stdio list; workflow has none in this version (coding, shell, workflow or full; default coding)",
      "Default: pretty on a terminal, else json (json or pretty)",
      "Require a token for the OpenAPI documents (true or false; default false)",
      "Address to listen on; wider than loopback needs public_url or allow_host (default 127.0.0.1)",
      "Optional parts to switch on; this version has none, so it changes nothing (repeatable) (any of memory,",
    ]) {
      expect(help).toContain(text)
    }
  })

  it.each([
    ["user", "add"],
    ["token", "create"],
    ["grant", "create"],
  ])("%s %s --help names scopes and bundles", async (...command) => {
    const { stdout } = await runInProcess(place, [...command, "--help"])
    expect(stdout).toMatch(/^Scopes: runtime:read, .*\bconversation:agent\b.*\badmin$/m)
    expect(stdout).toMatch(/^Bundle agent: runtime:read, /m)
  })

  it("mcp --help leaves out what only the HTTP door heeds", async () => {
    const flags = ({ stdout }: { readonly stdout: string }) => [...new Set(stdout.match(/--[a-z][a-z-]+/g))]
    const serve = flags(await runInProcess(place, ["serve", "--help"]))
    const mcp = flags(await runInProcess(place, ["mcp", "--help"]))
    expect(serve.filter((flag) => !mcp.includes(flag)).sort()).toEqual([
      "--allow-host",
      "--allow-origin",
      "--host",
      "--http-deadline-ms",
      "--legal-contact",
      "--legal-file",
      "--openai-apps-challenge",
      "--port",
      "--private-documents",
      "--public-url",
      "--rate-limit-per-minute",
      "--trust-proxy",
    ])
    expect(mcp.filter((flag) => !serve.includes(flag))).toEqual(["--scopes"])
  })

  it("--version prints the version of package.json", async () => {
    expect(await runHoldfast(place, ["--version"])).toEqual({
      code: 0,
      stdout: `${packageFile.version}\n`,
      stderr: "",
    })
  })

  it.each([
    { args: [], names: "name a command" },
    { args: ["user"], names: "name a command" },
    { args: ["sreve"], names: "serve" },
    { args: ["serve", "--bogus"], names: "--bogus" },
    { args: ["serve", "one", "two"], names: "serve" },
    { args: ["serve", "--port"], names: "--port" },
    { args: ["mcp", "--port", "1"], names: "--port" },
    { args: ["token", "create", "--user", "alice"], names: "--name" },
    { args: ["token", "create", "--user", "alice", "--name", "x", "--expires", "0h"], names: "1h" },
    { args: ["token", "create", "--user", "alice", "--name", "x", "--expires", "3651d"], names: "3650d" },
    { args: ["token", "create", "--user", "alice", "--name", "x", "--expires", "soon"], names: "--expires" },
    { args: ["grant", "create", "--projects", "demo", "--name", "x", "--expires", "never"], names: "--expires" },
    { args: ["grant", "create", "--projects", "demo,", "--name", "x"], names: "--projects" },
    { args: ["user", "add", "Alice!"], names: "name" },
    {
      args: ["user", "add", "alice", "--scopes", "project:fly"],
      names: "scopes: item 1 must be one of runtime:read, ",
    },
    { args: ["token", "create", "--user", "alice", "--name", "a\u001b[31m"], names: "name: it must hold no control" },
    {
      args: ["token", "create", "--user", "alice", "--name", "x", "--mode", "yolo"],
      names: "it must be one of trusted_agent",
    },
    { args: ["serve", "--port", "0", "--disabled-tools", "run_shel"], names: 'disabled_tools names "run_shel"' },
    { args: ["mcp", "--disabled-tools", "run_shell,git_diff"], names: 'disabled_tools names "run_shell,git_diff"' },
    { args: ["token", "revoke", "nonsense"], names: "id" },
    { args: ["mcp", "--scopes", "project:fly"], names: "project:fly" },
    { args: ["setup", "emacs"], names: "claude" },
  ])("a usage fault is one sentence and exit code 2: $args", async ({ args, names }) => {
    const end = await runInProcess(place, args)
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain(names)
    expect(end.stderr).not.toMatch(/Invalid |must match|expected/)
  })

  it.each([["--help"], ["serve", "--bogus"]])("a process ends with the same code and text: %s", async (...args) => {
    const end = await runHoldfast(place, args)
    expect(end).toEqual(await runInProcess(place, args))
    expect(end.code).toBe(args[0] === "--help" ? 0 : 2)
  })
})
