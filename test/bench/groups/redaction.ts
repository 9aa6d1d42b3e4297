import { createHash } from "node:crypto"
import { interleave } from "../measure.ts"
import { loadRedactor } from "../product.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"

const LINES = [
  "[12:04:31] CC      src/core/kernel/pipeline/run_call.o",
  "npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.",
  "PASS test/domain/kernel/pipeline.test.ts (12 tests) 431 ms",
  "   at Object.<anonymous> (/home/user/project/src/index.js:10:15)",
  "Downloading https://example.org/packages/left-pad-1.3.0.tgz (3.2 kB)",
  "warning: unused variable: `result`  --> src/main.rs:42:9",
]
const MIB = 1_048_576

/** The redactor against one linear pass of a regular expression (spec kernel.md §18). */
export async function redactionRows(bench: Bench): Promise<readonly Row[]> {
  const { createRedactor } = await loadRedactor()
  const literals = Array.from({ length: 100 }, (_, index) => ({ name: `SECRET_${index}`, value: secretOf(index) }))
  const redactor = createRedactor(literals)
  const log = textOf(MIB)
  // One pass for the same literals in their plain spelling and a few of the shapes.
  const shapes = [
    "gh[pousr]_\\w{20,}",
    "AKIA[A-Z0-9]{16}",
    "Bearer \\S{8,}",
    "(?:password|token|secret)\\s*[=:]\\s*\\S+",
  ]
  const linear = new RegExp([...literals.map(({ value }) => value), ...shapes].join("|"), "g")
  const text = await interleave(
    { subject: () => redactor.redactText(log), floor: () => log.replace(linear, "***") },
    { rounds: bench.count(100), warmup: 5 },
  )
  const bytes = Buffer.from(textOf(bench.quick ? MIB : 10 * MIB))
  const pass = (chunkBytes: number) => (): void => {
    const stream = redactor.byteStream()
    for (let at = 0; at < bytes.length; at += chunkBytes) stream.push(bytes.subarray(at, at + chunkBytes))
    stream.end()
  }
  const streamed = await interleave(
    { subject: pass(64), floor: pass(bytes.length) },
    { rounds: bench.quick ? 5 : 9, warmup: 1 },
  )
  return [
    { name: "Redactor: 1 MiB of build log, 100 literals", unit: "ms", ...text, target: atMost(4) },
    { name: "Redactor: 10 MiB in chunks of 64 bytes", unit: "ms", ...streamed, target: atMost(1.3) },
  ]
}

/** The same secrets in every run, with nothing in common. */
function secretOf(index: number): string {
  return createHash("sha256").update(`bench ${index}`).digest("hex").slice(0, 40)
}

function textOf(length: number): string {
  let text = ""
  for (let line = 0; text.length < length; line++) text += `${LINES[line % LINES.length]} #${line}\n`
  return text.slice(0, length)
}
