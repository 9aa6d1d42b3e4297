// Runs `bash -c <command>` from a process with a heap of 50 MB and nothing else to do, each time its parent asks;
// answers when it has ended.
import { spawn } from "node:child_process"
import { report } from "./report.ts"

const ballast = Array.from({ length: 50 }, (_, index) => Buffer.alloc(1_048_576, index + 1))

function run(command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.resume()
    child.stderr.resume()
    child.on("error", reject)
    child.on("close", () => resolve())
  })
}

process.on("message", (command) => {
  void run(String(command)).then(() => process.send?.("ended"))
})
report({ ballast: ballast.length })
