// The product on this process's own pipes with the bench's tools.
import { loadHoldfast } from "../product.ts"
import { benchTools } from "../tools.ts"

const [dataDir = ""] = process.argv.slice(2)
const { createHoldfast } = await loadHoldfast()
const holdfast = await createHoldfast({ dataDir, tools: benchTools })
const door = holdfast.mcp.stdio({ stdin: process.stdin, stdout: process.stdout })
await door.ended
await holdfast.close()
