// package.json and deno.json state the same version and the same SDK entries, and every entry has a source (spec doors.md §7.1).
import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const json = async (name: string) => JSON.parse(await readFile(path.join(root, name), "utf8"))
const npm = await json("package.json")
const deno = await json("deno.json")
const faults: string[] = []

if (npm.version !== deno.version) faults.push(`version: package.json ${npm.version}, deno.json ${deno.version}`)
if (npm.license !== deno.license) faults.push(`license: package.json ${npm.license}, deno.json ${deno.license}`)
const published = ["./sdk", "./sdk/local"]
for (const name of published) {
  if (deno.exports?.[name] === undefined) faults.push(`deno.json lacks the export ${name}`)
  if (npm.exports?.[name] === undefined) faults.push(`package.json lacks the export ${name}`)
}
for (const name of Object.keys(deno.exports ?? {})) {
  if (!published.includes(name))
    faults.push(`deno.json has the export ${name}; JSR gets ${published.join(" and ")} alone`)
}
for (const [name, targets] of Object.entries<Record<string, string>>(npm.exports)) {
  for (const target of Object.values(targets)) {
    const source = target.replace(/^\.\/dist\//, "").replace(/(\.d\.ts|\.js)$/, ".ts")
    const files = globSync(source.replace("*", "**"), { cwd: root })
    if (files.length === 0) faults.push(`package.json exports ${name} as ${target}, but ${source} is missing`)
  }
}
for (const [name, version] of Object.entries<string>(deno.imports ?? {})) {
  const wanted = npm.dependencies[name]
  if (wanted !== undefined && version !== `npm:${name}@${wanted}`)
    faults.push(`deno.json imports ${name} as ${version}, package.json has ${wanted}`)
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
