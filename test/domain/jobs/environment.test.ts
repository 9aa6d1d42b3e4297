import { describe, expect, it } from "vitest"
import { baseEnvironment } from "../../../adapters/runners/local/host/environment.ts"
import { checkedEnvironment } from "../../../core/jobs/environment.ts"

describe("the environment of children", () => {
  it("is the base, what is let through, the fixed values, and nothing else of the server's", () => {
    const server = {
      PATH: "/bin",
      HOME: "/home/a",
      LANG: "de_DE.UTF-8",
      LC_TIME: "C",
      OPENAI_API_KEY: "secret",
      CI_JOB: "7",
      CARGO_HOME: "/c",
      BASH_ENV: "/evil",
    }
    const env = baseEnvironment({ server, passthrough: ["CI_*", "CARGO_HOME"], set: { CARGO_HOME: "/d" } })
    expect(env).toMatchObject({
      PATH: "/bin",
      HOME: "/home/a",
      LANG: "de_DE.UTF-8",
      LC_TIME: "C",
      TERM: "dumb",
      CI_JOB: "7",
      CARGO_HOME: "/d",
      GIT_EDITOR: "false",
      GIT_TERMINAL_PROMPT: "0",
    })
    expect(env).not.toHaveProperty("OPENAI_API_KEY")
    expect(env).not.toHaveProperty("BASH_ENV")
  })

  it("has a UTF-8 locale and a PATH in any case", () => {
    expect(baseEnvironment({ server: {} })).toMatchObject({ LANG: "C.UTF-8", PATH: "/usr/local/bin:/usr/bin:/bin" })
    const env = baseEnvironment({ server: { LC_ALL: "C", LANG: "de_DE.UTF-8" } })
    expect(env.LANG).toBe("C.UTF-8")
    expect(env).not.toHaveProperty("LC_ALL")
  })

  it("takes at most 65,536 bytes from a call", () => {
    const value = "x".repeat(8192)
    const env = Array.from({ length: 9 }, (_, n) => ({ name: `V${n}`, value }))
    expect(() => checkedEnvironment(env)).toThrow(/65536/)
    expect(checkedEnvironment(env.slice(0, 7))).toHaveLength(7)
  })
})
