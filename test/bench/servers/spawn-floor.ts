// Runs the program its parent names, as JSON `[program, ...args]`, from a process with nothing else to do and `<MB>` of memory, 50
// unless said; answers when it has ended.
import { spawn } from "node:child_process"
import { z } from "zod"
import { ballastOf } from "../ballast.ts"
import { report } from "./report.ts"

const commandSchema = z.tuple([z.string()], z.string())
const ballast = ballastOf(Number(process.argv[2] ?? "50"))

function run([program, ...args]: z.infer<typeof commandSchema>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.resume()
    child.stderr.resume()
    child.on("error", reject)
    child.on("close", () => resolve())
  })
}

process.on("message", (message) => {
  void run(commandSchema.parse(JSON.parse(String(message)))).then(() => process.send?.("ended"))
})
report({ ballast: ballast.length })
