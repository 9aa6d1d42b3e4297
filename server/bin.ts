#!/usr/bin/env node
// Parsed by any Node: the version is checked before anything newer is imported.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 14)) {
  process.stderr.write(`Holdfast needs Node 22.14 or newer; this is Node ${process.versions.node}.\n`)
  process.exit(1)
}
const { fileURLToPath } = await import("node:url")
const { enableCompileCache } = await import("node:module")
// Hosts wait for each start. What was compiled is kept beside the code, open to nobody who could not change the code itself;
// where that cannot be written nothing is kept. Deno keeps its own and has no such function.
enableCompileCache?.(fileURLToPath(new URL("../.compile-cache", import.meta.url)))
const launch = [
  process.execPath,
  ...("Deno" in globalThis ? ["run", "--allow-all"] : []),
  fileURLToPath(import.meta.url),
] as const
const { stdin, stdout, stderr, env } = process
const [command] = process.argv.slice(2)
// A host is small and starts at once: it loads nothing of the doors.
const exitCode =
  command === "runner"
    ? await (await import("./cli/runner-command.ts")).runnerCommand({ stdin, stderr, env })
    : await (await import("./cli/main.ts")).main(process.argv.slice(2), {
        stdout,
        stderr,
        stdin,
        env,
        cwd: process.cwd(),
        launch,
      })
// A command that is left running would hold this process open until it ends.
process.exit(exitCode)
