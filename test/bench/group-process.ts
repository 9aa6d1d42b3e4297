// One group of rows in a process of its own, so that no group meets the heap and the compiled code of another.
import { GROUPS } from "./groups/all.ts"
import { withBench } from "./scope.ts"

const [name = "", pace] = process.argv.slice(2)
const group = GROUPS[name]
if (group === undefined) throw new Error(`There is no group ${name}.`)
process.send?.(await withBench(pace === "quick", group))
process.disconnect()
