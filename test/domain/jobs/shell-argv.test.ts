import { describe, expect, it } from "vitest"
import { isShellArgv } from "../../../core/jobs/shell-argv.ts"

describe("argv that hands text to a shell", () => {
  const texts: readonly (readonly string[])[] = [
    ["sh", "-c", "id"],
    ["/bin/bash", "-lc", "id"],
    ["bash", "-e", "-o", "pipefail", "-c", "id"],
    ["bash", "--norc", "-c", "id"],
    ["zsh", "-ic", "id"],
    ["dash", "-ec", "id"],
    ["fish", "--command=id"],
    ["fish", "--command", "id"],
    ["env", "sh", "-c", "id"],
    ["/usr/bin/env", "-i", "A=b", "-u", "X", "bash", "-c", "id"],
    ["env", "-S", "bash -c id"],
    ["env", "-Sbash -c id"],
    ["env", "--split-string=sh -c id"],
    ["env", "env", "ksh", "-c", "id"],
    ["cmd", "/c", "dir"],
    ["CMD.EXE", "/d", "/C", "dir"],
    ["powershell", "-Command", "ls"],
    ["pwsh", "-NoProfile", "-c", "ls"],
    ["powershell.exe", "-EncodedCommand", "AAAA"],
    ["busybox", "sh", "-c", "id"],
  ]
  it.each(texts)("J2: %s %s %s", (executable, ...args) => {
    expect(isShellArgv(executable, args)).toBe(true)
  })

  const programs: readonly (readonly string[])[] = [
    ["bash", "build.sh"],
    ["bash", "build.sh", "-c", "id"],
    ["bash", "-x", "build.sh", "-c"],
    ["bash", "--", "-c"],
    ["sh", "--version"],
    ["env"],
    ["env", "-u", "sh", "printenv", "-c"],
    ["env", "A=-c", "printenv"],
    ["python3", "-c", "print(1)"],
    ["cargo", "-c"],
    ["pwsh", "-File", "a.ps1"],
    ["cmd", "/?"],
    ["xargs", "-c"],
  ]
  it.each(programs)("runs %s %s %s", (executable, ...args) => {
    expect(isShellArgv(executable, args)).toBe(false)
  })
})
