import { describe, expect, it } from "vitest"
import { secretsFromEnvironment } from "../../../core/kernel/redaction/environment.ts"
import { learnedLiterals } from "../../../core/kernel/redaction/learned.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"

describe("secrets of the environment", () => {
  it("K23: a telling part of the name and eight characters make a secret", () => {
    const env = {
      GITHUB_TOKEN: "0123456789",
      MY_API_KEY_2: "abcdefgh",
      DB_PASSWORD: "12345678",
      AWS_CREDENTIALS: "credentials",
      apikey: "lowercase-name",
      SHORT_TOKEN: "1234567",
      MAX_TOKENS: "100000000",
      PASSWORDLESS: "true-true",
      PATH: "/usr/bin:/bin",
      EMPTY_SECRET: undefined,
    }
    expect(secretsFromEnvironment(env).map(({ name }) => name)).toEqual([
      "GITHUB_TOKEN",
      "MY_API_KEY_2",
      "DB_PASSWORD",
      "AWS_CREDENTIALS",
      "apikey",
    ])
  })
})

describe("literals learned from a command (shells.md §4.3)", () => {
  const cases: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    ["GH_TOKEN=abc123 gh pr list", [["GH_TOKEN", "abc123"]]],
    ["export MY_SECRET='it is mine' X=1; echo", [["MY_SECRET", "it is mine"]]],
    ['cd x && DbPassword="a\\"b c d"', [["DbPassword", 'a"b c d']]],
    ["A_TOKEN=12345", []],
    ["A_TOKEN=$OTHER_TOKEN B_TOKEN=`cat x` C_TOKEN=a$(x)bcdef", []],
    ["PATH=/usr/local/bin foo --token=abcdefgh", []],
    ["echo x|AUTHORIZATION=abc\\ def;true", [["AUTHORIZATION", "abc def"]]],
    ["(K_API_KEY=abcdef)", [["K_API_KEY", "abcdef"]]],
    ["T_TOKEN='unfinished", []],
    ["T_TOKEN=abcdef U_TOKEN=abcdef", [["T_TOKEN", "abcdef"]]],
  ]
  it.each(cases)("L45: %j", (command, expected) => {
    expect(learnedLiterals(command).map(({ name, value }) => [name, value])).toEqual(expected)
  })

  it("L45: at most 64", () => {
    const command = Array.from({ length: 100 }, (_, index) => `T${index}_TOKEN=value-${index}`).join(" ")
    expect(learnedLiterals(command)).toHaveLength(64)
  })
})

describe("the registry", () => {
  it("L34: a literal registered later is masked from then on; earlier redactors stay", () => {
    const secrets = createSecretRegistry([{ name: "A", value: "first-literal" }])
    const before = secrets.redactor()
    secrets.register("Z", "zq-LITERAL-77")
    secrets.register("OTHER", "zq-LITERAL-77")
    expect(before.redactText("zq-LITERAL-77 first-literal").text).toBe("zq-LITERAL-77 [redacted:A]")
    expect(secrets.redactor().redactText("zq-LITERAL-77 first-literal").text).toBe("[redacted:Z] [redacted:A]")
    expect(secrets.redactor()).toBe(secrets.redactor())
  })
})
