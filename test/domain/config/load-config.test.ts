import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ConfigError } from "../../../server/config/config-error.ts"
import { type ConfigInput, loadConfig } from "../../../server/config/load-config.ts"

describe("configuration", () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "hf-config-"))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const load = (given: Partial<ConfigInput> = {}) => loadConfig({ flags: {}, env: {}, dataDir, ...given })
  const write = (text: string, name = "config.json") => writeFile(path.join(dataDir, name), text)

  function faultOf(given: Partial<ConfigInput>): string {
    try {
      load(given)
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return error instanceof Error ? error.message : ""
    }
    throw new Error("The configuration was accepted.")
  }

  it("has the defaults of the specification", () => {
    const { config, sources } = load()
    expect(config).toEqual({
      host: "127.0.0.1",
      port: 4747,
      trust_proxy: 0,
      allow_host: [],
      allow_origin: [],
      http_deadline_ms: 40_000,
      mcp_deadline_ms: 50_000,
      rate_limit_per_minute: 600,
      reply_limit_chars: 90_000,
      authority_mode: "trusted_agent",
      surface: "coding",
      disabled_tools: [],
      features: [],
      projects: [],
      log_level: "info",
      durability: "process",
      private_documents: false,
      output_schemas: "envelope",
      max_active_sessions: 10_000,
      session_retention_days: 90,
      session_idle_days: 365,
      max_running_jobs: 16,
      spool_job_bytes: 67_108_864,
      spool_total_bytes: 2_147_483_648,
      spool_hours: 24,
      max_free_shells: 64,
      max_bound_shells: 64,
      shell_idle_ttl_ms: 1_800_000,
      shell_background_ttl_ms: 28_800_000,
      exec_timeout_secs: 120,
      ssh_first_use: "accept",
      ssh_resources: [],
      audit_log_days: 14,
      processes_on_shutdown: "keep",
      runner_linger_ms: 5_000,
      env_passthrough: [],
      env_set: [],
    })
    expect(new Set(Object.values(sources))).toEqual(new Set(["default"]))
  })

  it("K41: flag before environment before file before default, each with its source", async () => {
    await write(JSON.stringify({ port: 1, mcp_deadline_ms: 3_000, surface: "full" }))
    const { config, sources } = load({
      flags: { port: "3" },
      env: { HOLDFAST_PORT: "2", HOLDFAST_MCP_DEADLINE_MS: "4000" },
    })
    expect(config).toMatchObject({ port: 3, mcp_deadline_ms: 4_000, surface: "full", http_deadline_ms: 40_000 })
    expect(sources).toMatchObject({
      port: "flag",
      mcp_deadline_ms: "env",
      surface: "file",
      http_deadline_ms: "default",
    })
  })

  it("output has no limit unless one is set", () => {
    expect(load().config.output_limit_bytes).toBeUndefined()
    expect(load({ env: { HOLDFAST_OUTPUT_LIMIT_BYTES: "5000" } }).config.output_limit_bytes).toBe(5000)
  })

  it("K41: an unknown key in the file is named with the file", async () => {
    await write('{"authoritymode":"restricted"}')
    expect(faultOf({})).toContain(`"authoritymode" in ${path.join(dataDir, "config.json")}`)
  })

  it("the data directory is not settable in a file", async () => {
    await write('{"data_dir":"/srv"}')
    expect(faultOf({})).toContain('"data_dir"')
  })

  it("takes the file of --config, else of HOLDFAST_CONFIG, else of the data directory", async () => {
    await write('{"port":1}')
    await write('{"port":2}', "env.json")
    await write('{"port":3}', "flag.json")
    const env = { HOLDFAST_CONFIG: path.join(dataDir, "env.json") }
    expect(load().config.port).toBe(1)
    expect(load({ env }).config.port).toBe(2)
    expect(load({ env, file: path.join(dataDir, "flag.json") }).config.port).toBe(3)
  })

  it("a named file that is not there stops the start; the default one may be missing", () => {
    const file = path.join(dataDir, "missing.json")
    expect(faultOf({ file })).toContain(file)
    expect(load().config.port).toBe(4747)
  })

  it.each(["", "[]", "7", '{"port":1', "null"])(
    "a file that is not a JSON object stops the start: %j",
    async (text) => {
      await write(text)
      expect(faultOf({})).toContain("is not a JSON object")
    },
  )

  it("a list at a higher level replaces the lower one", async () => {
    await write('{"allow_host":["a.example","b.example"]}')
    expect(load({ env: { HOLDFAST_ALLOW_HOST: "c.example, d.example" } }).config.allow_host).toEqual([
      "c.example",
      "d.example",
    ])
    expect(load({ flags: { allow_host: ["e.example"] } }).config.allow_host).toEqual(["e.example"])
  })

  it("objects stand in the file alone", async () => {
    await write('{"env_set":[{"name":"TZ","value":"UTC"}]}')
    const { config } = load()
    for (const name of ["HOLDFAST_ENV_SET", "HOLDFAST_PROJECTS"]) {
      expect(faultOf({ env: { [name]: "/tmp" } })).toContain(`${name} sets nothing`)
    }
    expect(config.env_set).toEqual([{ name: "TZ", value: "UTC" }])
    expect(config.projects).toEqual([])
  })

  it("a Project runs shell text unless its entry says otherwise; a reserved name in its profile is named", async () => {
    const env = [{ name: "CI", value: "1" }]
    await write(JSON.stringify({ projects: [{ path: "/a" }, { path: "/b", raw_shell: false, profile: { env } }] }))
    expect(load().config.projects).toEqual([
      { path: "/a", raw_shell: true },
      { path: "/b", raw_shell: false, profile: { env } },
    ])
    await write(JSON.stringify({ projects: [{ path: "/b", profile: { env: [{ name: "BASH_ENV", value: "" }] } }] }))
    expect(faultOf({})).toMatch(/: item 1, profile, env: .*BASH_ENV is reserved\. Choose another name\.$/)
  })

  it("K41: a variable that looks like ours and is none is named", () => {
    for (const name of ["HOLDFAST_PROT", "HOLDFAST_AUTHORITYMODE", "HOLDFAST_DATADIR"]) {
      expect(faultOf({ env: { [name]: "1" } })).toContain(`Unknown environment variable ${name}`)
    }
    const others = ["DATA_DIR", "CONFIG", "TOKEN", "JOB", "SHELL", "TEST"].map((name) => [`HOLDFAST_${name}`, ""])
    const env = { ...Object.fromEntries(others), HOLDFAST_TOKEN: "x", HOLDFAST_JOB: "wc_job_1", HOLDFAST_TEST: "1" }
    expect(load({ env }).config.port).toBe(4747)
  })

  it("a member that is named twice stops the start", async () => {
    await write('{"port":1,\n"port":2}')
    expect(faultOf({})).toMatch(/names a member twice \(line 2\)/)
  })

  it.each([
    [{ surface: "everything" }, "it must be one of coding, "],
    [{ features: ["telepathy"] }, "item 1 must be one of "],
    [{ env_passthrough: ["A", "1X"] }, "item 2 must be the name of a variable"],
    [{ private_documents: "yes" }, "it is not one of the forms"],
    [{ allow_host: "a.example" }, "it must be a list"],
    [{ port: "70000" }, "it must be a whole number from 0 to 65535"],
  ])("a bad value is told in words: %j", (flags, words) => {
    expect(faultOf({ flags })).toContain(words)
    expect(faultOf({ flags })).not.toMatch(/Invalid|pattern|expected/)
  })

  it("an empty variable counts as unset", () => {
    expect(load({ env: { HOLDFAST_PORT: "", HOLDFAST_CONFIG: "" } }).config.port).toBe(4747)
  })

  it.each([
    ["port", "65536"],
    ["port", "-1"],
    ["port", "1.5"],
    ["port", ""],
    ["port", "0x10"],
    ["http_deadline_ms", "1999"],
    ["reply_limit_chars", "999"],
    ["authority_mode", "yolo"],
    ["surface", "everything"],
    ["features", ["telepathy"]],
    ["allow_origin", ["https://h.example/path"]],
    ["allow_host", ["https://h.example"]],
    ["allowed_roots", ["relative"]],
    ["env_passthrough", ["1X"]],
    ["private_documents", "yes"],
    ["output_limit_bytes", "0"],
    ["log_level", "loud"],
  ])("a bad value names the flag: %s %j", (key, value) => {
    expect(faultOf({ flags: { [key]: value } })).toContain(`flag --${key.replaceAll("_", "-")}:`)
  })

  it.each([
    ["port", null],
    ["port", true],
    ["port", []],
    ["private_documents", 1],
    ["allow_host", "a.example"],
    ["projects", [{ path: "relative" }]],
    ["projects", [{ path: "/srv", colour: "red" }]],
    ["projects", [{ path: "/srv", raw_shell: "no" }]],
    ["projects", [{ path: "/srv", profile: { init: "a\0b" } }]],
    ["projects", [{ path: "/srv", profile: { env: [{ name: "A-B", value: "" }] } }]],
    ["projects", [{ path: "/srv", profile: { env: [{ name: "A", value: "a\0b" }] } }]],
    ["env_set", [{ name: "TZ", value: 7 }]],
  ])("a bad value names its place in the file: %s %j", async (key, value) => {
    await write(JSON.stringify({ [key]: value }))
    expect(faultOf({})).toContain(`"${key}" in ${path.join(dataDir, "config.json")}`)
  })

  it("K16: a bad authority mode names key and source", () => {
    expect(faultOf({ env: { HOLDFAST_AUTHORITY_MODE: "yolo" } })).toContain(
      "environment variable HOLDFAST_AUTHORITY_MODE",
    )
  })

  it.each([
    "http://h.example",
    "https://h.example/x",
    "https://h.example/",
    "https://u:p@h.example",
    "https://h.example?x=1",
    "ftp://h.example",
    "h.example",
  ])("D29: public_url %s is refused", (value) => {
    expect(faultOf({ flags: { public_url: value } })).toContain("--public-url")
  })

  it.each(["https://h.example", "https://h.example:8443", "http://127.0.0.1:9000", "http://localhost:1"])(
    "public_url %s is an origin",
    (value) => {
      expect(load({ flags: { public_url: value } }).config.public_url).toBe(value)
    },
  )

  it.each(["0.0.0.0", "::", "192.168.1.5", "box.example"])("D29: host %s alone is refused", (host) => {
    const fault = faultOf({ flags: { host } })
    expect(fault).toContain(`host ${host}`)
    expect(load({ flags: { host, allow_host: ["box.example"] } }).config.host).toBe(host)
    expect(load({ flags: { host, public_url: "https://h.example" } }).config.host).toBe(host)
  })

  it.each(["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])("host %s is loopback", (host) => {
    expect(load({ flags: { host } }).config.host).toBe(host)
  })
})
