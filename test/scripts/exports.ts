// package.json and deno.json state the same version and the same SDK entries (spec doors.md §7.1).
import { readFile } from "node:fs/promises"

const json = async (name: string) => JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), "utf8"))
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
for (const [name, version] of Object.entries<string>(deno.imports ?? {})) {
  const wanted = npm.dependencies[name]
  if (wanted !== undefined && version !== `npm:${name}@${wanted}`)
    faults.push(`deno.json imports ${name} as ${version}, package.json has ${wanted}`)
}
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
