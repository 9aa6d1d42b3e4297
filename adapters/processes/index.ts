export type { AskPid } from "./process-probe.ts"
export { createProcessProbe } from "./process-probe.ts"
