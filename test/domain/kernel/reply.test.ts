import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createHarness } from "../../support/harness.ts"
import { createTestTools } from "../../support/test-tools.ts"

describe("step 10: redaction and budget", () => {
  it("K21: a text of 100,000 NULs fits 90,000 characters with head and tail, and the report says so", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    for (const door of ["http", "mcp", "stdio", "embedded"] as const) {
      const { result } = await harness.call("t_big", { unit: "\0", times: 100_000 }, { door })
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(90_000)
      if (!result.success) throw new Error("failed")
      const { text } = result.output as { text: string }
      expect(text.startsWith("\0".repeat(100))).toBe(true)
      expect(text.endsWith("\0".repeat(100))).toBe(true)
      expect(text).toContain("characters left out")
      expect(result.attached?.budget).toMatchObject({ limit_chars: 90_000, cut: [{ at: "text", total: 100_000 }] })
    }
  })

  it("K-I5: from a limit of 16,000 on every reply fits", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const recorder = await harness.session()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 16_000, max: 60_000 }),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 20_000 }),
        async (replyLimit, unit, times) => {
          const { result } = await harness.call("t_big", { unit, times }, { replyLimit, recorder })
          expect(result.success).toBe(true)
          expect(JSON.stringify(result).length).toBeLessThanOrEqual(replyLimit)
        },
      ),
      { numRuns: 40 },
    )
  })

  it("K22: secrets are masked, code and settings that only look like it are not", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const cases = [
      ["MAX_TOKENS=4096 token_embd.weight=CPU key=value", "MAX_TOKENS=4096 token_embd.weight=CPU key=value"],
      ["password: hunter2hunter2", "password: [redacted:password]"],
      ["GITHUB_TOKEN=$GH", "GITHUB_TOKEN=$GH"],
      ["postgres://u:s3cretpw@h/db", "postgres://u:[redacted:url_password]@h/db"],
      ["token: CancellationToken", "token: CancellationToken"],
      ['password = os.environ["PASSWORD"]', 'password = os.environ["PASSWORD"]'],
      ["const token = request.headers.authorization", "const token = request.headers.authorization"],
    ]
    for (const [given, shown] of cases) expect(await harness.ok("t_echo", { text: given })).toEqual({ text: shown })
  })

  it("K23: a registered literal is in no reply, ledger or log, however it is written", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions, replyLimit: 2_000 })
    harness.secrets.register("K", "sk-ABCDEFGHIJ")
    const recorder = await harness.session()
    const echoed = async (text: string) => JSON.stringify(await harness.call("t_echo", { text }, { recorder }))
    expect(await echoed("a sk-ABCDEFGHIJ b")).toContain("a [redacted:K] b")
    expect(await echoed("a sk-ABC\u001b[31mDEFGHIJ b")).not.toMatch(/DEFGHI|sk-ABC/)
    expect(await echoed(Buffer.from("xsk-ABCDEFGHIJ").toString("base64"))).toContain("[redacted:K]")
    const cut = await harness.call("t_big", { unit: "sk-ABCDEFGHIJ", times: 5_000 })
    expect(JSON.stringify(cut)).not.toMatch(/ABCDEF|DEFGHI/)
    expect(harness.dump()).not.toMatch(/ABCDEF|DEFGHI/)
    expect(JSON.stringify(harness.telemetry.calls)).not.toMatch(/ABCDEF|DEFGHI/)
  })

  it("K24: a file's secret is masked in the reply and stays in the file", async () => {
    await using harness = await createHarness()
    const { project, root } = await harness.project("a")
    harness.secrets.register("K", "sk-ABCDEFGHIJ")
    await writeFile(join(root, "x"), "key sk-ABCDEFGHIJ end\n")
    const { result } = await harness.call("read_files", { project, items: [{ path: "x" }] })
    expect(JSON.stringify(result)).not.toContain("sk-ABCDEFGHIJ")
    expect(result).toMatchObject({ output: { items: [{ text: "key [redacted:K] end\n", redactions: 1 }] } })
    expect(await readFile(join(root, "x"), "utf8")).toBe("key sk-ABCDEFGHIJ end\n")
  })

  it("below a tiny limit sidecars go first, session_record last; success never changes", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    const { result } = await harness.call("t_run", { session_id: session }, { replyLimit: 1_000 })
    expect(result.success).toBe(true)
    expect(JSON.stringify(result.attached).length).toBeLessThanOrEqual(250)
    expect(result.attached?.session_record?.recorded).toBe(true)
    expect(result.attached?.permission).toBeUndefined()
  })
})
