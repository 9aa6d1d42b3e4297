import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"
import { ENTRIES } from "./compiled-snippet.ts"
import { type Block, blocksIn, docExamples } from "./markdown.ts"

const typescript = path.join(REPOSITORY, "node_modules/typescript/bin/tsc")

/** What the compiler says about all examples in one program, as `page:line` of the example and the message. */
async function faultsOf(examples: readonly Block[]): Promise<readonly string[]> {
  const directory = await mkdtemp(path.join(tmpdir(), "hf-examples-"))
  try {
    await writeFile(path.join(directory, "package.json"), '{"type":"module"}')
    await Promise.all(
      examples.map(({ text }, index) => writeFile(path.join(directory, `example-${index}.ts`), `${text}\nexport {}\n`)),
    )
    const config = {
      extends: path.join(REPOSITORY, "tsconfig.json"),
      compilerOptions: {
        noEmit: true,
        lib: ["es2024", "dom", "esnext.disposable"],
        typeRoots: [path.join(REPOSITORY, "node_modules/@types")],
        paths: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, [file]])),
      },
      include: ["*.ts"],
    }
    await writeFile(path.join(directory, "tsconfig.json"), JSON.stringify(config))
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [typescript, "-p", directory]).catch((error) => error)
    return String(stdout)
      .split("\n")
      .filter((line) => /example-\d+\.ts.*error TS/.test(line))
      .map((line) => line.replace(/^.*example-(\d+)\.ts/, (_, index) => examples[Number(index)]?.at ?? ""))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

describe("examples", () => {
  it("those of the pages and of doc comments compile; a wrong one would not", { timeout: 180_000 }, async () => {
    const examples = [...blocksIn("ts"), ...docExamples()]
    const marks = ["createClient", "connectLocal", "createHoldfast"]
    for (const name of marks) expect(docExamples().some(({ text }) => text.includes(name))).toBe(true)
    expect(examples.filter(({ text }) => text.trim() === "")).toEqual([])
    const wrong = {
      at: "a wrong example",
      page: "",
      language: "ts",
      text: 'import { createClient } from "holdfast/sdk"\nawait createClient({ baseUrl: 7 })\n',
    }
    const faults = await faultsOf([...examples, wrong])
    expect(faults.filter((fault) => !fault.startsWith(wrong.at))).toEqual([])
    expect(faults.some((fault) => fault.startsWith(wrong.at))).toBe(true)
  })
})
