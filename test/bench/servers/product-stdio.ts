// The product on this process's own pipes with the bench's tools; a second argument names the surface.
import { surfaceSchema } from "../../../core/discovery/fields.ts"
import { loadHoldfast } from "../product.ts"
import { benchTools } from "../tools.ts"

const [dataDir = "", surface = "coding"] = process.argv.slice(2)
const { createHoldfast } = await loadHoldfast()
const holdfast = await createHoldfast({ dataDir, tools: benchTools, surface: surfaceSchema.parse(surface) })
const door = holdfast.mcp.stdio({ stdin: process.stdin, stdout: process.stdout })
await door.ended
await holdfast.close()
