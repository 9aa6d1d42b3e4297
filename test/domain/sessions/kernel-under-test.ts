import { createSystemClock } from "../../../adapters/clock/index.ts"
import type { Caller } from "../../../core/access/principal.ts"
import type { Scope } from "../../../core/access/scopes.ts"
import { type CallOptions, createHarness, type Harness, type HarnessOptions } from "../../support/harness.ts"
import { workTools } from "./work-tools.ts"

/** The harness with tools that work in a Session and do nothing, and a wall clock that a test moves. */
export interface KernelUnderTest extends Harness {
  /** Added to the wall clock, ms. */
  readonly time: { offset: number }
  /** Kind and details, and nothing else, of a call that has to fail. */
  refused(tool: string, input: object, how?: CallOptions): Promise<{ kind: string; details: object | undefined }>
}

/** The same caller without these scopes. */
export function without(caller: Caller, ...scopes: readonly Scope[]): Caller {
  return { ...caller, scopes: new Set([...caller.scopes].filter((scope) => !scopes.includes(scope))) }
}

/** Starts one; dispose of it with `await using`. */
export async function startKernel(options: Omit<HarnessOptions, "clock"> = {}): Promise<KernelUnderTest> {
  const time = { offset: 0 }
  const system = createSystemClock()
  const harness = await createHarness({
    ...options,
    tools: [...workTools, ...(options.tools ?? [])],
    clock: { ...system, now: () => system.now() + time.offset },
  })
  return {
    ...harness,
    time,
    async refused(tool, input, how) {
      const { kind, details } = await harness.fails(tool, input, how)
      return { kind, details }
    },
  }
}
