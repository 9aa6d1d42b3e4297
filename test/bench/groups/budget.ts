import { interleave } from "../measure.ts"
import { loadBudget } from "../product.ts"
import { atMost, type Row, shown } from "../row.ts"
import type { Bench } from "../scope.ts"

/** The budget stage on a reply that just fits, and on one that is cut (spec kernel.md §18). */
export async function budgetRows(bench: Bench): Promise<readonly Row[]> {
  const { fitResult } = await loadBudget()
  const fitting = replyOf(89_500)
  const over = replyOf(200_000)
  const options = { limit: 90_000, reduce: [{ at: "text", kind: "text", min: 100 }] } as const
  const rounds = bench.count(100)
  const batch = 10
  const times = (work: () => unknown) => () => {
    for (let done = 0; done < batch; done++) work()
  }
  const fits = await interleave(
    { subject: times(() => fitResult(fitting, options)), floor: times(() => JSON.stringify(fitting)) },
    { rounds, batch },
  )
  const cut = await interleave(
    { subject: times(() => fitResult(over, options)), floor: times(() => JSON.stringify(over)) },
    { rounds, batch },
  )
  return [
    { name: "Budget: reply of 90,000 characters", unit: "ms", ...fits, target: atMost(1.5) },
    { name: "Budget: reply of 200,000, cut to 90,000", unit: "ms", ...cut, target: shown },
  ]
}

/** A reply whose JSON has about this many characters. */
function replyOf(chars: number) {
  const line = 'const greeting = "hello"\n'
  const text = line.repeat(Math.floor(chars / (JSON.stringify(line).length - 2)))
  return { success: true, output: { text } } as const
}
