import { spawn } from "node:child_process"
import { endOf, serverFile } from "../children.ts"
import { INITIALIZE } from "../mcp-requests.ts"
import { interleave } from "../measure.ts"
import { makePlace, seedDataDir } from "../place.ts"
import { BIN } from "../product.ts"
import { aboveFloor, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { fillEvents } from "../seed.ts"
import { createStdioClient } from "../stdio-client.ts"

/** From the start of `holdfast mcp` to its first MCP reply (spec doors.md §11), with 100 Sessions of 2,000 events. */
export async function coldStartRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const { dataDir, database } = await seedDataDir(place, "data")
  fillEvents(database, { sessions: bench.count(100), eventsEach: 2000 })
  const product = [BIN, "mcp", place.directory, "--data-dir", dataDir, "--allowed-roots", place.home]
  const firstReply = async (args: readonly string[]): Promise<void> => {
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] })
    started.push(child)
    await createStdioClient(child).call("initialize", INITIALIZE)
  }
  const started: ReturnType<typeof spawn>[] = []
  const endAll = async (): Promise<void> => {
    await Promise.all(started.splice(0).map(endOf))
  }
  bench.undo(endAll)
  const p50 = await interleave(
    {
      subject: () => firstReply(product),
      subjectEnd: endAll,
      floor: () => firstReply([serverFile("mcp-floor-stdio.ts")]),
      floorEnd: endAll,
    },
    { rounds: bench.quick ? 5 : 15, warmup: 2 },
  )
  const { subject, floor } = p50
  return [
    { name: "Cold start of holdfast mcp to the first reply", unit: "ms", subject, floor, target: aboveFloor(400) },
  ]
}
