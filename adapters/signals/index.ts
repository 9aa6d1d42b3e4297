export type { OpenedSignals, SignalsParts } from "./create-signals.ts"
export { createSignals } from "./create-signals.ts"
