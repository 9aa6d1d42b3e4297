import { spawn } from "node:child_process"
import type { Place } from "../support/place.ts"

/** The default port, which the README's calls name. */
const PORT = "4747"

/** A server that was started as the README says: every default, in the Project's directory. */
export interface PrintedServer extends AsyncDisposable {
  /** The text as printed; only where the default port is taken on this machine, with another one. */
  onItsPort(text: string): string
}

/** Starts `holdfast serve`; where 4747 is taken it says so and takes a free port. */
export async function startAsPrinted(place: Place, env: Readonly<Record<string, string>>): Promise<PrintedServer> {
  const usual = await start(place, env, [])
  if (usual !== undefined) return usual
  console.log(`Port ${PORT} is taken on this machine: the README's calls run on another one.`)
  const other = await start(place, env, ["--port", "0"])
  if (other === undefined) throw new Error("holdfast serve --port 0 did not start.")
  return other
}

function start(
  place: Place,
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<PrintedServer | undefined> {
  const child = spawn("holdfast", ["serve", ...flags], { cwd: place.root, env, stdio: ["ignore", "pipe", "ignore"] })
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  return new Promise((resolve, reject) => {
    let text = ""
    child.on("error", reject)
    void exited.then(() => resolve(undefined))
    child.stdout.on("data", (chunk) => {
      text += chunk
      const port = /at http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]
      if (port === undefined || !text.includes("Ctrl-C")) return
      resolve({
        onItsPort: (printed) =>
          port === PORT
            ? printed
            : printed.replaceAll(`:${PORT}`, `:${port}`).replace("connectLocal()", `connectLocal({ port: ${port} })`),
        async [Symbol.asyncDispose]() {
          child.kill("SIGTERM")
          await exited
        },
      })
    })
  })
}
